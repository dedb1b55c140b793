import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/// Writes the library of `io.servery.supervisor.posix.SystemCall` beside the jar (docs/adr/0015): a shared object (ELF 64, x86-64)
/// with two functions of twelve instructions, which is less than a C compiler would ask of whoever builds.
///
///     java build/SystemCallLibrary.java servery-netty/target/servery-netty.jar
public final class SystemCallLibrary {
    private static final String CALL = "Java_io_servery_supervisor_posix_SystemCall_call";
    private static final String ADDRESS = "Java_io_servery_supervisor_posix_SystemCall_address";

    /// `call`: the JNI gives (env, class, number, a, b, c) in rdi, rsi, rdx, rcx, r8, r9 and (d, e, f) on the stack; the kernel takes the
    /// number in rax and its arguments in rdi, rsi, rdx, r10, r8, r9. It changes rcx, r11 and rax, which are a callee's to change
    /// (System V ABI, AMD64 supplement, 3.2.3 and A.2.1).
    private static final String CALL_CODE = ""
            + "4889d0" // mov rax, rdx
            + "4889cf" // mov rdi, rcx
            + "4c89c6" // mov rsi, r8
            + "4c89ca" // mov rdx, r9
            + "4c8b542408" // mov r10, [rsp+8]
            + "4c8b442410" // mov r8, [rsp+16]
            + "4c8b4c2418" // mov r9, [rsp+24]
            + "0f05" // syscall
            + "c3"; // ret

    /// `address`: of (env, class, buffer) it makes (env, buffer), and goes on in GetDirectBufferAddress, which stands at
    /// index 230 of the table that env points at (JNI specification, "Interface Function Table").
    private static final String ADDRESS_CODE = ""
            + "4889d6" // mov rsi, rdx
            + "488b07" // mov rax, [rdi]
            + "ffa030070000"; // jmp [rax+230*8]

    // elf(5)
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_BYTES = 56;
    private static final int SEGMENTS = 4;
    private static final int SYMBOL_BYTES = 24;
    private static final short SHARED_OBJECT = 3;
    private static final short X86_64 = 62;
    private static final int LOAD = 1;
    private static final int DYNAMIC = 2;
    private static final int GNU_STACK = 0x6474e551;
    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int EXECUTE = 1;
    private static final int GLOBAL_FUNCTION = 1 << 4 | 2;
    /// As large as any page, so that what is written to is mapped apart from what is run.
    private static final long PAGE = 0x10000;

    private SystemCallLibrary() {
    }

    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "") + ".so";
        Files.write(jar.resolveSibling(name), library());
    }

    private static byte[] library() {
        byte[] call = HexFormat.of().parseHex(CALL_CODE);
        byte[] address = HexFormat.of().parseHex(ADDRESS_CODE);
        byte[] names = ("\0" + CALL + "\0" + ADDRESS + "\0").getBytes(StandardCharsets.US_ASCII);
        int hash = HEADER_BYTES + SEGMENTS * SEGMENT_BYTES;
        int symbols = aligned(hash + 6 * Integer.BYTES);
        int strings = symbols + 3 * SYMBOL_BYTES;
        int callText = aligned(strings + names.length);
        int addressText = aligned(callText + call.length);
        int dynamic = aligned(addressText + address.length);
        int end = dynamic + 6 * 2 * Long.BYTES;
        ByteBuffer out = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);

        out.put(new byte[]{0x7f, 'E', 'L', 'F', 2, 1, 1, 0}).putLong(0);
        out.putShort(SHARED_OBJECT).putShort(X86_64).putInt(1).putLong(0).putLong(HEADER_BYTES).putLong(0).putInt(0);
        out.putShort((short) HEADER_BYTES).putShort((short) SEGMENT_BYTES).putShort((short) SEGMENTS);
        out.putShort((short) 0).putShort((short) 0).putShort((short) 0);
        segment(out, LOAD, READ | EXECUTE, 0, 0, dynamic);
        segment(out, LOAD, READ | WRITE, dynamic, PAGE + dynamic, end - dynamic);
        segment(out, DYNAMIC, READ | WRITE, dynamic, PAGE + dynamic, end - dynamic);
        // Else the stack of whoever loads this would be made executable.
        segment(out, GNU_STACK, READ | WRITE, 0, 0, 0);

        // One bucket that begins with symbol 1, after which comes symbol 2; there are three, and the first is none.
        out.position(hash).putInt(1).putInt(3).putInt(1).putInt(0).putInt(2).putInt(0);
        out.position(symbols + SYMBOL_BYTES);
        symbol(out, 1, callText, call.length);
        symbol(out, 1 + CALL.length() + 1, addressText, address.length);
        out.position(strings).put(names);
        out.position(callText).put(call);
        out.position(addressText).put(address);
        out.position(dynamic);
        entry(out, 4, hash);
        entry(out, 5, strings);
        entry(out, 6, symbols);
        entry(out, 10, names.length);
        entry(out, 11, SYMBOL_BYTES);
        entry(out, 0, 0);
        return out.array();
    }

    private static int aligned(int at) {
        return at + 15 & ~15;
    }

    /// Long because a program header has these fields: elf(5).
    private static void segment(ByteBuffer out, int type, int flags, long at, long address, long bytes) {
        out.putInt(type).putInt(flags).putLong(at).putLong(address).putLong(address).putLong(bytes).putLong(bytes);
        out.putLong(type == LOAD ? PAGE : 16);
    }

    /// Of a section that is not absent: which, is not looked at.
    private static void symbol(ByteBuffer out, int name, long address, long bytes) {
        out.putInt(name).put((byte) GLOBAL_FUNCTION).put((byte) 0).putShort((short) 1).putLong(address).putLong(bytes);
    }

    /// Of the dynamic section: DT_HASH 4, DT_STRTAB 5, DT_SYMTAB 6, DT_STRSZ 10, DT_SYMENT 11, DT_NULL 0.
    private static void entry(ByteBuffer out, long tag, long value) {
        out.putLong(tag).putLong(value);
    }
}
