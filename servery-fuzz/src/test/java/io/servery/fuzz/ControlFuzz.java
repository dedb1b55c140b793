package io.servery.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.core.control.Decoded;
import io.servery.core.control.OrderCodec;
import io.servery.core.control.ReportCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;

/// Any bytes as what a worker sends to its parent, and as what a parent sends to its worker.
///
/// A whole frame is accepted exactly if [ReferenceControl] accepts it, and what is accepted has those bytes and no others.
class ControlFuzz {
    @FuzzTest
    void control(byte[] bytes) {
        judge(bytes, ReportCodec::decode, ReportCodec::encode, ReferenceControl::isReport);
        judge(bytes, OrderCodec::decode, OrderCodec::encode, ReferenceControl::isOrder);
    }

    private static <T> void judge(byte[] bytes, Function<ByteBuffer, Decoded<T>> decode, Function<T, byte[]> encode,
            Function<byte[], Boolean> reference) {
        ByteBuffer stream = ByteBuffer.wrap(bytes);
        while (stream.hasRemaining()) {
            int from = stream.position();
            Decoded<T> found = Cost.within(100_000 + 100L * bytes.length, () -> decode.apply(stream.position(from)));
            switch (found) {
                case Decoded.Complete<T>(T value) -> {
                    byte[] frame = Arrays.copyOfRange(bytes, from, stream.position());
                    Invariant.holds(reference.apply(frame), () -> "accepted: " + value);
                    Invariant.holds(Arrays.equals(frame, encode.apply(value)), () -> "other bytes: " + value);
                }
                case Decoded.Incomplete<T>(int length) -> {
                    Invariant.same(from, stream.position(), () -> "position");
                    Invariant.holds(length > stream.remaining(), () -> "enough is there: " + length);
                    return;
                }
                case Decoded.Malformed<T>(String what) -> {
                    Invariant.holds(what.length() < 200 && what.chars().allMatch(c -> c >= ' ' && c <= '~'),
                            () -> "not fit to print: " + what);
                    Invariant.holds(!reference.apply(frame(bytes, from)), () -> "refused: " + what);
                    return;
                }
            }
        }
    }

    /// The frame that begins there, as far as it is there.
    private static byte[] frame(byte[] bytes, int from) {
        int length = ByteBuffer.wrap(bytes).getInt(from);
        int end = length < 0 || length > bytes.length - from - Integer.BYTES
                ? bytes.length
                : from + Integer.BYTES + length;
        return Arrays.copyOfRange(bytes, from, end);
    }
}
