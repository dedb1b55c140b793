package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Every request of the corpus against the packaged server: whole, in its own pieces, byte by byte, and cut at random places.
///
/// How bytes fall into segments must never change an answer: every way of sending gets the same one, its date aside.
class Http1CorpusTest {
    private static final int BYTE_BY_BYTE_MAX = 1500;
    private static final int CUTS = 12;
    /// Set `servery.seed` to repeat a run.
    private static final long SEED = Long.getLong("servery.seed", System.nanoTime());
    private static final String RESOURCES = """
            max_request_body = "1MiB"
            """;

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        System.out.println("Http1CorpusTest: -Dservery.seed=" + SEED);
        Site site = Site.generate(folder.resolve("site"));
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()).resources(RESOURCES));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> everyRequestGetsItsAnswerHoweverItIsCut() {
        return CorpusCase.all().stream().map(each -> DynamicTest.dynamicTest(each.name(), () -> run(each)));
    }

    private static void run(CorpusCase each) {
        List<byte[]> pieces = each.pieces(Http1CorpusTest::value);
        byte[] whole = join(pieces);
        String answers = send(each, "whole", List.of(whole));
        if (pieces.size() > 1) {
            assertThat(send(each, "in its pieces", pieces)).as("in its pieces").isEqualTo(answers);
        }
        if (whole.length <= BYTE_BY_BYTE_MAX) {
            assertThat(send(each, "byte by byte", cut(whole, whole.length))).as("byte by byte").isEqualTo(answers);
        }
        var random = new Random(SEED ^ each.name().hashCode());
        assertThat(send(each, "cut at random", cutAtRandom(whole, random))).as("cut at random").isEqualTo(answers);
    }

    private static String send(CorpusCase each, String way, List<byte[]> pieces) {
        try {
            return CorpusRun.send(server.port(), each.expectation(), pieces);
        } catch (AssertionError e) {
            throw new AssertionError("sent " + way + ": " + e.getMessage(), e);
        }
    }

    private static byte[] join(List<byte[]> pieces) {
        var whole = new ByteArrayOutputStream();
        pieces.forEach(whole::writeBytes);
        return whole.toByteArray();
    }

    private static List<byte[]> cut(byte[] whole, int count) {
        var pieces = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) whole.length * i / count);
            int to = (int) ((long) whole.length * (i + 1) / count);
            pieces.add(java.util.Arrays.copyOfRange(whole, from, to));
        }
        return pieces;
    }

    private static List<byte[]> cutAtRandom(byte[] whole, Random random) {
        int[] places = random.ints(CUTS, 0, whole.length + 1).sorted().toArray();
        var pieces = new ArrayList<byte[]>();
        int from = 0;
        for (int place : places) {
            pieces.add(java.util.Arrays.copyOfRange(whole, from, place));
            from = place;
        }
        pieces.add(java.util.Arrays.copyOfRange(whole, from, whole.length));
        pieces.removeIf(piece -> piece.length == 0);
        return pieces;
    }

    /// `\<etag /path>`, `\<weak /path>`, `\<port>`: what only the running server knows.
    private static String value(String name) {
        String[] words = name.split(" ", -1);
        return switch (words[0]) {
            case "etag" -> server.get(words[1]).value("ETag");
            case "port" -> Integer.toString(server.port());
            default -> throw new IllegalArgumentException("\\<" + name + ">");
        };
    }

}
