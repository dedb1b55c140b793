package io.servery.http.http1;

import io.servery.http.semantics.TargetPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The paths that were asked for lately and are sound, by their raw bytes: a popular one is judged and decoded once.
///
/// A table in which a path has one place and takes it from whoever was there: what a flood of different paths costs is
/// what judging each would cost anyway.
///
/// *Owner:* one event loop. *Invariant:* at most `PLACES` paths of at most `PATH_BYTES_MAX` bytes.
final class PathMemo {
    static final int PATH_BYTES_MAX = 256;
    private static final int PLACES = 256;

    private static final VarHandle EIGHT_BYTES = MethodHandles.byteArrayViewVarHandle(long[].class,
            ByteOrder.LITTLE_ENDIAN);
    /// The golden ratio in 64 bits: multiplying by it spreads every bit into the upper ones.
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final byte[] @Nullable [] raw = new byte[PLACES][];
    private final TargetPath.Accepted[] judged = new TargetPath.Accepted[PLACES];

    /// The path in `bytes[start, end)`, judged by `TargetPath.resolve` now or before.
    TargetPath.Result resolve(byte[] bytes, int start, int end) {
        int place = place(bytes, start, end);
        byte[] known = raw[place];
        if (known != null && Arrays.equals(known, 0, known.length, bytes, start, end)) {
            return judged[place];
        }
        TargetPath.Result result = TargetPath.resolve(
                new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
        if (result instanceof TargetPath.Accepted accepted && end - start <= PATH_BYTES_MAX) {
            raw[place] = Arrays.copyOfRange(bytes, start, end);
            judged[place] = accepted;
        }
        return result;
    }

    private static int place(byte[] bytes, int start, int end) {
        long hash = (long) end - start;
        int i = start;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            hash = (hash ^ (long) EIGHT_BYTES.get(bytes, i)) * SPREAD;
        }
        for (; i < end; i++) {
            hash = (hash ^ bytes[i]) * SPREAD;
        }
        return (int) (hash >>> 32) & PLACES - 1;
    }
}
