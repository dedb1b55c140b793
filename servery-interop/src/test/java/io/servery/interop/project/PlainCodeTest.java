package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `build/PlainCode.java`: what javac leaves to the run time becomes plain code that does the same. The oracle is the same program as
/// javac left it, by `java.lang.runtime.SwitchBootstraps` and `ObjectMethods` of the JDK.
class PlainCodeTest {
    private static final String TOOL = SourceTree.file("build/PlainCode.java").toString();
    private static final long PATIENCE_SECONDS = 60;
    private static final String PROGRAM = """
            import java.util.List;
            import java.util.function.Function;

            public class Program {
                sealed interface Shape {
                    default String kind() {
                        return switch (this) {
                            case Circle _ -> "circle";
                            case Square _ -> "square";
                            case Pair<?, ?> _ -> "pair";
                            case Nothing _ -> "nothing";
                        };
                    }
                }

                record Circle(double radius) implements Shape {
                }

                record Square(int side, Shape within) implements Shape {
                }

                record Pair<A, B>(A first, B second) implements Shape {
                }

                record Nothing() implements Shape {
                }

                record Numbers(boolean truth, byte octet, short few, char letter, int some, long many, float real, double precise,
                        String text, char[] letters, int[] row) {
                }

                record Own(String name) {
                    @Override
                    public boolean equals(Object other) {
                        return other instanceof Own own && own.name.equalsIgnoreCase(name);
                    }

                    @Override
                    public int hashCode() {
                        return 42;
                    }
                }

                enum Colour {
                    RED, GREEN
                }

                sealed interface Mixed permits Colour2, Other {
                }

                enum Colour2 implements Mixed {
                    RED, GREEN
                }

                record Other(int number) implements Mixed {
                }

                final String made;

                Program(Object value) {
                    made = switch (value) {
                        case String text when text.length() > 3 -> "long " + text;
                        case String text -> "short " + text;
                        case Integer number when number > 10 -> "large " + number;
                        case Integer number -> "small " + number;
                        case int[] row -> "row of " + row.length;
                        case null -> "null";
                        default -> "else";
                    };
                }

                static String nested(Shape shape) {
                    return switch (shape) {
                        case Square(int side, Circle(double radius)) when side > radius -> "square around circle";
                        case Square(int side, Square(int inner, var _)) -> "squares " + side + " " + inner;
                        case Square _ -> "square";
                        case Pair(Circle(var first), Circle(var second)) -> "circles " + (first + second);
                        case Pair<?, ?>(var first, var second) -> "pair " + first + " " + second;
                        case Circle _,Nothing _ -> "round";
                    };
                }

                static String frames(List<?> values) {
                    StringBuilder all = new StringBuilder();
                    long count = 0;
                    for (Object value : values) {
                        double weight = count * 0.5;
                        try {
                            all.append(switch (value) {
                                case Number number when number.intValue() < 0 -> throw new IllegalStateException("negative");
                                case Number number -> number.longValue() + weight;
                                case CharSequence text -> text.length() + count;
                                default -> value.hashCode() * 0;
                            });
                        } catch (IllegalStateException e) {
                            all.append(e.getMessage());
                        } finally {
                            count++;
                        }
                    }
                    return all.append(count).toString();
                }

                static int mixed(Mixed mixed) {
                    return switch (mixed) {
                        case Colour2.RED -> 1;
                        case Colour2.GREEN -> 2;
                        case Other(int number) -> number;
                    };
                }

                static final Function<Object, String> IN_LAMBDA = value -> switch (value) {
                    case String text -> "text " + text;
                    case List<?> list when list.isEmpty() -> "empty";
                    case List<?> list -> "list " + list.size();
                    default -> "else";
                };

                static void tell(Object what) {
                    System.out.println(what);
                }

                static void compare(Object left, Object right) {
                    tell(left.equals(right) + " " + right.equals(left) + " " + left.equals(left) + " " + left.equals(null) + " "
                            + left.equals("other") + " " + (left.hashCode() == right.hashCode()));
                }

                public static void main(String[] arguments) {
                    record Local(String name, long number) {
                    }
                    List<Shape> shapes = List.of(new Circle(1), new Circle(Double.NaN), new Nothing(), new Square(3, new Circle(2)),
                            new Square(1, new Circle(2)), new Square(3, new Square(2, null)), new Square(4, null),
                            new Pair<>(new Circle(1), new Circle(2)), new Pair<>(null, "x"), new Pair<>(new Nothing(), 3));
                    for (Shape shape : shapes) {
                        tell(shape.kind() + " " + nested(shape) + " " + shape + " " + shape.hashCode());
                        shapes.forEach(other -> compare(shape, other));
                    }
                    char[] letters = {'a'};
                    int[] row = {1};
                    for (float real : new float[]{0f, -0f, Float.NaN, 1.5f}) {
                        Numbers numbers = new Numbers(real > 0, (byte) -1, (short) -2, 'z', Integer.MIN_VALUE, Long.MAX_VALUE, real,
                                -real, real > 0 ? null : "t", null, null);
                        tell(numbers + " " + numbers.hashCode());
                        compare(numbers, new Numbers(real > 0, (byte) -1, (short) -2, 'z', Integer.MIN_VALUE, Long.MAX_VALUE, real,
                                -real, real > 0 ? null : "t", null, null));
                        compare(numbers, new Numbers(real > 0, (byte) -1, (short) -2, 'z', Integer.MIN_VALUE, Long.MAX_VALUE, 0f,
                                0d, "t", null, null));
                        compare(numbers, new Numbers(real > 0, (byte) -1, (short) -2, 'z', Integer.MIN_VALUE, 1L << 32, real,
                                -real, "t", letters, row));
                    }
                    Numbers own = new Numbers(true, (byte) 0, (short) 0, 'a', 0, 0, 0, 0, "", letters, row);
                    compare(own, new Numbers(true, (byte) 0, (short) 0, 'a', 0, 0, 0, 0, "", letters, row));
                    compare(own, new Numbers(true, (byte) 0, (short) 0, 'a', 0, 0, 0, 0, "", letters.clone(), row));
                    // By its identity, which is another in each process.
                    tell(own.toString().replaceAll("@[0-9a-f]+", "@"));
                    compare(new Own("a"), new Own("A"));
                    tell(new Own("a") + " " + new Own("a").hashCode());
                    tell(new Local("x", 1L << 40) + " " + new Local(null, 0).hashCode() + " " + new Local("x", 1).hashCode());
                    for (Object value : new Object[]{"abc", "abcd", 11, 10, row, null, 1.0}) {
                        tell(new Program(value).made);
                    }
                    for (Object value : List.of("text", List.of(), List.of(1, 2), 3)) {
                        tell(IN_LAMBDA.apply(value));
                    }
                    tell(frames(List.of(1, -1, "four", 2L, 3.5, 'c')));
                    tell(mixed(Colour2.RED) + mixed(Colour2.GREEN) + mixed(new Other(7)));
                    try {
                        tell(nested(null));
                    } catch (NullPointerException e) {
                        tell("null is refused");
                    }
                }
            }
            """;

    @TempDir
    private Path folder;
    private Path classes;

    @BeforeEach
    void compile() throws Exception {
        Path source = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        classes = Files.createDirectory(folder.resolve("classes"));
        run("javac", "-g", "-parameters", "-d", classes.toString(), source.toString());
    }

    @Test
    void whatIsRewrittenDoesTheSame() throws Exception {
        String before = run("java", "-cp", classes.toString(), "Program");
        assertThat(leftToTheRunTime(classes)).hasSizeGreaterThan(20);

        rewrite();

        assertThat(run("java", "-Xverify:all", "-cp", classes.toString(), "Program")).isEqualTo(before);
        assertThat(leftToTheRunTime(classes)).as("over a primitive value, with constants")
                .containsExactlyInAnyOrder("Program.nested", "Program.mixed");
    }

    @Test
    void whatIsRewrittenIsLeftAloneTheNextTime() throws Exception {
        rewrite();
        byte[] once = Files.readAllBytes(classes.resolve("Program.class"));
        rewrite();
        assertThat(classes.resolve("Program.class")).hasBinaryContent(once);
    }

    @Test
    void jarLeavesNeitherSwitchesNorMethodsOfRecordsToTheRunTime() throws IOException {
        Path jar = SourceTree.file("servery-netty/target/servery-netty.jar");
        assumeTrue(Files.exists(jar), "the jar is not built: this test runs from the package phase on (mvn verify)");
        List<String> left = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().filter(entry -> entry.getName().matches("io/servery/.*\\.class"))
                    .toList()) {
                try (InputStream input = file.getInputStream(entry)) {
                    left.addAll(leftToTheRunTime(ClassFile.of().parse(input.readAllBytes())));
                }
            }
        }
        assertThat(left).isEmpty();
    }

    private void rewrite() throws Exception {
        run("java", "-cp", classes.toString(), TOOL, classes.toString());
    }

    private static List<String> leftToTheRunTime(Path classes) throws IOException {
        List<String> left = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                left.addAll(leftToTheRunTime(ClassFile.of().parse(file)));
            }
        }
        return left;
    }

    private static List<String> leftToTheRunTime(ClassModel model) {
        return model.methods().stream().filter(method -> method.code().stream().flatMap(CodeModel::elementStream)
                .anyMatch(element -> element instanceof InvokeDynamicInstruction dynamic
                        && bootstrap(dynamic).asInternalName()
                                .startsWith("java/lang/runtime/")))
                .map(method -> model.thisClass().asInternalName() + "." + method.methodName()).toList();
    }

    private static ClassEntry bootstrap(InvokeDynamicInstruction dynamic) {
        return dynamic.invokedynamic().bootstrap().bootstrapMethod().reference().owner();
    }

    private String run(String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", program).toString()));
        command.addAll(List.of(arguments));
        Path said = Files.createTempFile(folder, "said", ".txt");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
