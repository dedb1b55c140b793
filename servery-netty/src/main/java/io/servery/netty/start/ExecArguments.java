package io.servery.netty.start;

import io.servery.supervisor.posix.SystemCall;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// The words of execve(2) as a C program gives them, in memory of their own: null-ended texts, and a null-ended table of
/// their addresses.
final class ExecArguments {
    private final ByteBuffer memory;
    private final long address;

    private ExecArguments(ByteBuffer memory) {
        this.memory = memory;
        this.address = SystemCall.isAvailable()
                ? SystemCall.addressOf(memory)
                : MemorySegment.ofBuffer(memory).address();
    }

    static ExecArguments of(List<byte[]> texts) {
        int table = (texts.size() + 1) * Long.BYTES;
        int bytes = table;
        for (byte[] text : texts) {
            bytes += text.length + 1;
        }
        ExecArguments arguments = new ExecArguments(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
        ByteBuffer memory = arguments.memory;
        memory.position(table);
        for (int at = 0; at < texts.size(); at++) {
            memory.putLong(at * Long.BYTES, arguments.address + memory.position());
            memory.put(texts.get(at)).put((byte) 0);
        }
        return arguments;
    }

    /// Of the table. Valid as long as this object is held.
    long address() {
        return address;
    }

    /// Of the first text.
    long first() {
        return memory.getLong(0);
    }
}
