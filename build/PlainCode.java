import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Replaces, in compiled classes, what javac leaves to be made at run time by plain code: pattern switches and the methods of
/// records (docs/adr/0015). Each `invokedynamic` of theirs makes classes at its first use, which the AOT cache of JDK 25 does not
/// keep.
///
///     java -cp CLASS-PATH build/PlainCode.java CLASSES-DIRECTORY
///
/// The class path is asked for the types in the frames of methods that are written anew. What is done already is left as it is. The
/// specification is the documentation of `java.lang.runtime.SwitchBootstraps` and `ObjectMethods`. Switches over primitive
/// values, or with constants among their patterns, are left to the JDK. After a
/// change of this file, classes that are not compiled anew stay as they were: `mvn clean`.
public final class PlainCode {
    private PlainCode() {
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        if (!Files.isDirectory(directory)) {
            return; // a module of tests alone
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            ClassModel model = ClassFile.of().parse(file);
            if (model.methods().stream().anyMatch(Rewriting::isWanted)) {
                byte[] rewritten = ClassFile.of().transformClass(model, new Rewriting(model));
                // Whole or not at all: what is half written is newer than its source, and would not be compiled again.
                Path beside = Files.write(file.resolveSibling(file.getFileName() + ".new"), rewritten);
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /// That of one class.
    private static final class Rewriting implements ClassTransform {
        private static final String SWITCHES = "java/lang/runtime/SwitchBootstraps";
        private static final String RECORDS = "java/lang/runtime/ObjectMethods";
        private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
        private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
        private static final MethodTypeDesc EQUAL = MethodTypeDesc.of(ConstantDescs.CD_boolean,
                ConstantDescs.CD_Object, ConstantDescs.CD_Object);
        private static final MethodTypeDesc HASH = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object);
        private static final MethodTypeDesc TEXT = MethodTypeDesc.of(ConstantDescs.CD_String);

        private final ClassModel model;
        private final ClassDesc self;
        private final List<Switch> switches = new ArrayList<>();

        /// A method in place of a switch: which of these types the value is of, from the one of a number on.
        private record Switch(String name, MethodTypeDesc type, List<ClassEntry> labels) {
        }

        /// A field of a record.
        private record Component(String name, ClassDesc type) {
        }

        Rewriting(ClassModel model) {
            this.model = model;
            this.self = model.thisClass().asSymbol();
        }

        static boolean isWanted(MethodModel method) {
            return method.code().stream().flatMap(CodeModel::elementStream).anyMatch(Rewriting::isReplaced);
        }

        private static boolean isReplaced(CodeElement element) {
            return element instanceof InvokeDynamicInstruction dynamic
                    && (isTypeSwitch(dynamic) || madeBy(dynamic).equals(RECORDS));
        }

        private static boolean isTypeSwitch(InvokeDynamicInstruction dynamic) {
            return madeBy(dynamic).equals(SWITCHES) && dynamic.name().equalsString("typeSwitch")
                    && !dynamic.typeSymbol().parameterType(0).isPrimitive()
                    && dynamic.invokedynamic().bootstrap().arguments().stream().allMatch(ClassEntry.class::isInstance);
        }

        private static String madeBy(InvokeDynamicInstruction dynamic) {
            return dynamic.invokedynamic().bootstrap().bootstrapMethod().reference().owner().asInternalName();
        }

        @Override
        public void accept(ClassBuilder builder, ClassElement element) {
            if (element instanceof MethodModel method && isWanted(method)) {
                builder.transformMethod(method, (body, part) -> {
                    if (part instanceof CodeModel code) {
                        body.transformCode(code, this::replace);
                    } else {
                        body.with(part);
                    }
                });
            } else {
                builder.with(element);
            }
        }

        @Override
        public void atEnd(ClassBuilder builder) {
            for (Switch one : switches) {
                int flags = AccessFlag.PRIVATE.mask() | AccessFlag.STATIC.mask() | AccessFlag.SYNTHETIC.mask();
                builder.withMethodBody(one.name(), one.type(), flags, code -> choose(code, one.labels()));
            }
        }

        private void replace(CodeBuilder code, CodeElement element) {
            if (element instanceof RuntimeVisibleTypeAnnotationsAttribute) {
                return; // of local variables, by offsets that are others now: nobody asks for them at run time
            }
            if (!isReplaced(element)) {
                code.with(element);
                return;
            }
            InvokeDynamicInstruction dynamic = (InvokeDynamicInstruction) element;
            if (isTypeSwitch(dynamic)) {
                Switch one = new Switch("typeSwitch$" + switches.size(), dynamic.typeSymbol(),
                        dynamic.invokedynamic().bootstrap().arguments().stream().map(ClassEntry.class::cast).toList());
                switches.add(one);
                code.invokestatic(self, one.name(), one.type(), model.flags().has(AccessFlag.INTERFACE));
                return;
            }
            List<Component> components = components(dynamic);
            switch (dynamic.name().stringValue()) {
                case "equals" -> compare(code, components);
                case "hashCode" -> hash(code, components);
                case "toString" -> tell(code, components);
                default -> throw new IllegalStateException(model.thisClass().asInternalName() + ": found "
                        + dynamic.name() + "; expected one of the methods of records");
            }
        }

        /// After the type of the record and the names of its components come their getters.
        private static List<Component> components(InvokeDynamicInstruction dynamic) {
            List<LoadableConstantEntry> arguments = dynamic.invokedynamic().bootstrap().arguments();
            return arguments.subList(2, arguments.size()).stream()
                    .map(getter -> ((MethodHandleEntry) getter).reference())
                    .map(field -> new Component(field.name().stringValue(),
                            ClassDesc.ofDescriptor(field.type().stringValue())))
                    .toList();
        }

        /// -1 for null; else the first label from the given one on of whose type the value is; else how many there are.
        private static void choose(CodeBuilder code, List<ClassEntry> labels) {
            Label present = code.newLabel();
            code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
            for (int i = 0; i < labels.size(); i++) {
                Label next = code.newLabel();
                code.iload(1).loadConstant(i).if_icmpgt(next);
                code.aload(0).instanceOf(labels.get(i)).ifeq(next).loadConstant(i).ireturn().labelBinding(next);
            }
            code.loadConstant(labels.size()).ireturn();
        }

        // Of the methods of records: javac has loaded their arguments, and returns what is left on the stack.

        private void compare(CodeBuilder code, List<Component> components) {
            Label equal = code.newLabel();
            Label unequal = code.newLabel();
            Label end = code.newLabel();
            code.if_acmpeq(equal).aload(1).instanceOf(self).ifeq(unequal);
            int other = code.allocateLocal(TypeKind.REFERENCE);
            code.aload(1).checkcast(self).astore(other);
            for (Component component : components) {
                code.aload(0).getfield(self, component.name(), component.type());
                code.aload(other).getfield(self, component.name(), component.type());
                switch (component.type().descriptorString()) {
                    case "Z", "B", "S", "C", "I" -> code.if_icmpne(unequal);
                    case "J" -> code.lcmp().ifne(unequal);
                    case "F" -> code.invokestatic(ConstantDescs.CD_Float, "compare", MethodTypeDesc.of(
                            ConstantDescs.CD_int, ConstantDescs.CD_float, ConstantDescs.CD_float)).ifne(unequal);
                    case "D" -> code.invokestatic(ConstantDescs.CD_Double, "compare", MethodTypeDesc.of(
                            ConstantDescs.CD_int, ConstantDescs.CD_double, ConstantDescs.CD_double)).ifne(unequal);
                    default -> code.invokestatic(OBJECTS, "equals", EQUAL).ifeq(unequal);
                }
            }
            code.labelBinding(equal).iconst_1().goto_(end).labelBinding(unequal).iconst_0().labelBinding(end);
        }

        private void hash(CodeBuilder code, List<Component> components) {
            code.pop().iconst_0();
            for (Component component : components) {
                ClassDesc type = component.type();
                code.bipush(31).imul().aload(0).getfield(self, component.name(), type);
                if (type.isPrimitive()) {
                    code.invokestatic(boxed(type), "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, type));
                } else {
                    code.invokestatic(OBJECTS, "hashCode", HASH);
                }
                code.iadd();
            }
        }

        private static ClassDesc boxed(ClassDesc primitive) {
            return switch (primitive.descriptorString()) {
                case "Z" -> ConstantDescs.CD_Boolean;
                case "B" -> ConstantDescs.CD_Byte;
                case "S" -> ConstantDescs.CD_Short;
                case "C" -> ConstantDescs.CD_Character;
                case "I" -> ConstantDescs.CD_Integer;
                case "J" -> ConstantDescs.CD_Long;
                case "F" -> ConstantDescs.CD_Float;
                default -> ConstantDescs.CD_Double;
            };
        }

        private void tell(CodeBuilder code, List<Component> components) {
            code.pop().new_(BUILDER).dup().invokespecial(BUILDER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
            String before = simpleName() + "[";
            for (Component component : components) {
                code.ldc(before + component.name() + "=");
                append(code, ConstantDescs.CD_String);
                code.aload(0).getfield(self, component.name(), component.type());
                append(code, switch (component.type().descriptorString()) {
                    case "B", "S" -> ConstantDescs.CD_int;
                    case "Z", "C", "I", "J", "F", "D" -> component.type();
                    default -> ConstantDescs.CD_Object; // of an array of characters, too, its identity
                });
                before = ", ";
            }
            code.ldc(components.isEmpty() ? before + "]" : "]");
            append(code, ConstantDescs.CD_String);
            code.invokevirtual(BUILDER, "toString", TEXT);
        }

        private static void append(CodeBuilder code, ClassDesc type) {
            code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, type));
        }

        private String simpleName() {
            return model.findAttribute(Attributes.innerClasses()).stream()
                    .flatMap(all -> all.classes().stream())
                    .filter(one -> one.innerClass().equals(model.thisClass()))
                    .flatMap(one -> one.innerName().stream())
                    .map(name -> name.stringValue()).findFirst().orElseGet(self::displayName);
        }
    }
}
