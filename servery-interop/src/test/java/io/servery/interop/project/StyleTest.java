package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The rules of CONTRIBUTING.md that a program can check.
///
/// A limit may be passed where a comment in that place says why, beginning with "Long because".
class StyleTest {
    private static final int FILE_LINES_MAX = 500;
    private static final int METHOD_LINES_MAX = 50;
    private static final int PARAMETERS_MAX = 5;
    private static final Pattern EXCUSE = Pattern.compile("//+ .*\\bLong because\\b");
    private static final Pattern SLEEP = Pattern
            .compile("\\b(Thread|SECONDS|MILLISECONDS|MICROSECONDS)\\s*\\.\\s*sleep\\(");
    private static final Pattern LEFT_OVER = Pattern
            .compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b|@Dis" + "abled\\b|\\.printStack" + "Trace\\(");
    /// A home or build directory of one machine. What an operator finds on every host (`/var`, `/etc`, `/run`) is fine.
    private static final Pattern MACHINE_PATH = Pattern
            .compile("(?<![\\w.~*}-])/(home|root|Users|work|mnt|tmp/bash)/\\w");

    private static List<Path> javaFiles;
    private static JavaSources sources;

    @BeforeAll
    static void parse() throws IOException {
        javaFiles = SourceTree.files(".java");
        sources = JavaSources.parse(javaFiles);
    }

    @Test
    void fileOfMoreThan500LinesSaysWhy() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : javaFiles) {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() > FILE_LINES_MAX && lines.stream().noneMatch(line -> EXCUSE.matcher(line).find())) {
                tooLong.add(SourceTree.nameOf(file) + ": " + lines.size() + " lines");
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void methodOfMoreThan50LinesSaysWhy() {
        assertThat(violations(new MethodLength())).isEmpty();
    }

    @Test
    void methodOfMoreThanFiveParametersSaysWhy() {
        assertThat(violations(new ParameterCount())).isEmpty();
    }

    @Test
    void publicTypeOfTheServerIsDescribed() {
        assertThat(violations(new Described())).isEmpty();
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() throws IOException {
        List<String> missing = new ArrayList<>();
        List<Path> packages = javaFiles.stream().filter(StyleTest::isOfTheServer).map(Path::getParent)
                .map(Objects::requireNonNull).distinct().toList();
        for (Path directory : packages) {
            Path info = directory.resolve("package-info.java");
            String text = Files.exists(info) ? Files.readString(info) : "";
            if (!text.startsWith("/// ") || !text.contains("@NullMarked")) {
                missing.add(SourceTree.nameOf(info));
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void noTestSleeps() throws IOException {
        assertThat(lines(javaFiles.stream().filter(file -> !isOfTheServer(file)).toList(), SLEEP)).isEmpty();
    }

    @Test
    void nothingIsLeftForLater() throws IOException {
        assertThat(lines(javaFiles, LEFT_OVER)).isEmpty();
    }

    @Test
    void noFileNamesADirectoryOfOneMachine() throws IOException {
        List<Path> texts = new ArrayList<>(javaFiles);
        for (String suffix : List.of(".md", ".toml", ".xml", ".html", ".css", ".sh", "Dockerfile", "run")) {
            texts.addAll(SourceTree.files(suffix));
        }
        assertThat(lines(texts, MACHINE_PATH)).isEmpty();
    }

    private static boolean isOfTheServer(Path file) {
        return SourceTree.nameOf(file).contains("/src/main/");
    }

    private static List<String> lines(List<Path> files, Pattern forbidden) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            for (int at = 0; at < lines.size(); at++) {
                if (forbidden.matcher(lines.get(at)).find()) {
                    found.add(SourceTree.nameOf(file) + ":" + (at + 1) + ": " + lines.get(at).strip());
                }
            }
        }
        return found;
    }

    private static List<String> violations(Rule rule) {
        for (CompilationUnitTree unit : sources.units()) {
            rule.enter(unit);
            rule.scan(unit, null);
        }
        return rule.found;
    }

    /// One pass over the syntax trees that collects what breaks a rule.
    private abstract static class Rule extends TreeScanner<Void, Void> {
        final List<String> found = new ArrayList<>();
        private final SourcePositions positions = sources.trees().getSourcePositions();
        CompilationUnitTree unit;

        void enter(CompilationUnitTree next) {
            unit = next;
        }

        void add(Tree tree, String what) {
            found.add(SourceTree.nameOf(Path.of(unit.getSourceFile().toUri())) + ":" + firstLine(tree) + ": " + what);
        }

        long firstLine(Tree tree) {
            return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
        }

        long lastLine(Tree tree) {
            return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
        }

        /// The text of the lines from `first` to `last`, counted from 1.
        String text(long first, long last) {
            try {
                List<String> lines = unit.getSourceFile().getCharContent(true).toString().lines().toList();
                return String.join("\n",
                        lines.subList((int) Math.max(0, first - 1), (int) Math.min(lines.size(), last)));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    private static final class MethodLength extends Rule {
        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            long lines = lastLine(method) - firstLine(method) + 1;
            if (lines > METHOD_LINES_MAX && !EXCUSE.matcher(text(firstLine(method) - 6, lastLine(method))).find()) {
                add(method, method.getName() + " has " + lines + " lines");
            }
            return super.visitMethod(method, null);
        }
    }

    /// Records are data: their constructors may take more, as may a method that another library's type prescribes.
    private static final class ParameterCount extends Rule {
        private boolean inRecord;

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            boolean outer = inRecord;
            inRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, null);
            inRecord = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean data = inRecord && method.getName().contentEquals("<init>");
            boolean prescribed = method.getModifiers().getAnnotations().toString().contains("Override");
            if (method.getParameters().size() > PARAMETERS_MAX && !data && !prescribed
                    && !EXCUSE.matcher(text(firstLine(method) - 6, firstLine(method))).find()) {
                add(method, method.getName() + " has " + method.getParameters().size() + " parameters");
            }
            return super.visitMethod(method, null);
        }
    }

    private static final class Described extends Rule {
        @Override
        public Void visitCompilationUnit(CompilationUnitTree file, Void nothing) {
            if (isOfTheServer(Path.of(file.getSourceFile().toUri()))) {
                for (Tree type : file.getTypeDecls()) {
                    if (type instanceof ClassTree declared
                            && declared.getModifiers().getFlags().contains(Modifier.PUBLIC)
                            && !text(firstLine(type) - 2, firstLine(type)).contains("///")) {
                        add(type, declared.getSimpleName() + " has no description");
                    }
                }
            }
            return null;
        }
    }
}
