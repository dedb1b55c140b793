package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.fuzz.Wire.Transcript;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Any bytes on one HTTP/1.1 connection: heads, content by length and by chunks, pipelines.
///
/// What the handler sees and what the peer is told must be what an independent reader makes of the same bytes, and the
/// same however the bytes are cut: so framing takes no byte of the next message and leaves none behind.
class ConnectionFuzz {
    /// Replaying the seeds there is time for a cut at every place; fuzzing, for a few at random.
    private static final boolean FUZZING = System.getenv("JAZZER_FUZZ") != null;
    private static final int RANDOM_CUTS = 3;

    @FuzzTest
    void connection(byte[] bytes) {
        Transcript whole = judged(bytes, false);
        Transcript closed = judged(bytes, true);
        Invariant.holds(closed.ended(), () -> "the peer has ended, and the server goes on");
        Invariant.holds(startsWith(closed.requests(), whole.requests()), () -> "the end of input took requests back");
        judgeCuts(bytes, whole);
    }

    private static Transcript judged(byte[] bytes, boolean endInput) {
        Transcript found = Cost.within(300_000 + 500L * bytes.length, () -> Wire.run(bytes, new int[0], endInput));
        judge(ReferenceHttp1.read(new String(bytes, ISO_8859_1), endInput), found);
        return found;
    }

    private static void judge(ReferenceHttp1.Expected expected, Transcript found) {
        Invariant.holds(startsWith(found.requests(), expected.requests()),
                () -> "requests: found " + found.requests() + "; expected " + expected.requests());
        Invariant.holds(!found.answers().contains("HTTP/1.1 500 "), () -> "a request was answered 500");
        for (Wire.Seen seen : found.requests()) {
            Invariant.holds(noParent(seen.path()), () -> "the path of a request leaves its root: " + seen);
        }
        if (!expected.certain()) {
            return;
        }
        Invariant.same(expected.requests().size(), found.requests().size(), () -> "requests " + found.requests());
        if (expected.refusals().isEmpty()) {
            Invariant.same(0, found.refusal(), () -> "refusal of a sound message");
        } else {
            Invariant.holds(expected.refusals().contains(found.refusal()),
                    () -> "refusal: found " + found.refusal() + "; expected one of " + expected.refusals());
        }
        Invariant.same(expected.closes(), found.ended(), () -> "end of the connection");
    }

    private static void judgeCuts(byte[] bytes, Transcript whole) {
        if (bytes.length < 2) {
            return;
        }
        same(whole, bytes, IntStream.range(1, bytes.length).toArray());
        if (!FUZZING) {
            for (int cut = 1; cut < bytes.length; cut++) {
                same(whole, bytes, new int[]{cut});
            }
        }
        Random random = new Random(Arrays.hashCode(bytes));
        for (int i = 0; i < RANDOM_CUTS; i++) {
            same(whole, bytes, random.ints(1 + random.nextInt(4), 1, bytes.length).sorted().toArray());
        }
    }

    private static void same(Transcript whole, byte[] bytes, int[] cuts) {
        Invariant.same(whole, Wire.run(bytes, cuts, false), () -> "transcript with cuts at " + Arrays.toString(cuts));
    }

    private static boolean startsWith(List<Wire.Seen> all, List<Wire.Seen> prefix) {
        return all.size() >= prefix.size() && all.subList(0, prefix.size()).equals(prefix);
    }

    private static boolean noParent(String path) {
        return path.startsWith("/") && Arrays.stream(path.split("[/\\\\]", -1)).noneMatch(".."::equals);
    }
}
