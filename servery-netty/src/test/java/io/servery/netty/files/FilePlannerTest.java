package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.Method;
import io.servery.netty.files.open.FileIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The answers to GET and HEAD for one file, in the order of RFC 9110, from memory and from disk alike.
class FilePlannerTest {
    private static final long NOW = 1_700_000_000;
    private static final long MODIFIED = NOW - 1000;
    private static final String TEXT = "0123456789abcdefghij";

    @TempDir
    static Path directory;

    private final FilePlanner planner = new FilePlanner(() -> "BOUNDARY");
    private final List<CountedFile> opened = new ArrayList<>();
    private FilePolicy policy = new FilePolicy(new StaticFilesFixture(directory).build());

    @BeforeEach
    void write() throws IOException {
        Files.writeString(directory.resolve("file.txt"), TEXT);
    }

    @AfterEach
    void everyFileIsClosedExactlyOnce() {
        assertThat(opened).allSatisfy(file -> assertThat(file.closes).isEqualTo(1));
    }

    private Representation representation() {
        return representation("file.txt", TEXT.length());
    }

    private Representation representation(String path, long size) {
        return Representation.of(identity(size, MODIFIED), path, policy, NOW);
    }

    private static FileIdentity identity(long size, long modified) {
        return new FileIdentity(1, 2, size, new FileIdentity.Time(modified, 5), new FileIdentity.Time(modified, 6));
    }

    private FileSource disk() {
        CountedFile file = new CountedFile(directory.resolve("file.txt"));
        opened.add(file);
        return new DiskFile(ReadyHeads.of(representation()), file);
    }

    private FileSource memory() {
        return new MemoryFile(representation(), TEXT.getBytes(StandardCharsets.US_ASCII));
    }

    private Answer answer(FileSource source, String method, String... fields) {
        RequestHead head = TestRequest.head(method, "/file.txt", fields);
        return planner.plan(source, Method.of(method), head, NOW);
    }

    /// The same answer from memory and from disk, or the test fails.
    private Emitted given(String method, String... fields) {
        Emitted fromDisk = emitted(answer(disk(), method, fields), method);
        Emitted fromMemory = emitted(answer(memory(), method, fields), method);
        assertThat(fromMemory.head().http1()).isEqualTo(fromDisk.head().http1());
        assertThat(fromMemory.content()).isEqualTo(fromDisk.content());
        if (method.equals("GET") && fromDisk.status() != 304) {
            assertThat(fromDisk.content().length).isEqualTo((int) fromDisk.head().contentLength());
        }
        return fromDisk;
    }

    private static Emitted emitted(Answer answer, String method) {
        return Emitted.of(((Answer.Given) answer).plan(), !method.equals("HEAD"));
    }

    private Answer.Refused refused(String method, String... fields) {
        Answer.Refused fromDisk = (Answer.Refused) answer(disk(), method, fields);
        assertThat(answer(memory(), method, fields)).isEqualTo(fromDisk);
        return fromDisk;
    }

    private String etag() {
        return representation().described("ETag");
    }

    /// RFC 9110 §8: what describes a representation.
    @Nested
    class RepresentationFields {
        @Test
        void wholeFileHasItsTypeItsLengthAndItsValidators() {
            Emitted whole = given("GET");
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.text()).isEqualTo(TEXT);
            assertThat(whole.head().contentLength()).isEqualTo(TEXT.length());
            assertThat(whole.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(whole.field("Accept-Ranges")).isEqualTo("bytes");
            assertThat(whole.field("Last-Modified")).isEqualTo(HttpDate.format(MODIFIED));
            assertThat(whole.field("X-Content-Type-Options")).isEqualTo("nosniff");
        }

        /// §8.8.2.1
        @Test
        void lastModifiedIsNeverInTheFuture() {
            Representation future = Representation.of(identity(1, NOW + 86_400), "x", policy, NOW);
            assertThat(future.described("Last-Modified")).isEqualTo(HttpDate.format(NOW));
        }

        /// §8.8.3
        @Test
        void entityTagIsStrongAndDiffersWithEveryPartOfTheIdentity() {
            assertThat(etag()).matches("\"[A-Za-z0-9_-]{20}\"");
            FileIdentity.Time time = new FileIdentity.Time(5, 5);
            Set<String> tags = new HashSet<>();
            for (FileIdentity identity : List.of(new FileIdentity(1, 2, 3, time, time),
                    new FileIdentity(2, 2, 3, time, time), new FileIdentity(1, 3, 3, time, time),
                    new FileIdentity(1, 2, 4, time, time),
                    new FileIdentity(1, 2, 3, new FileIdentity.Time(6, 5), time),
                    new FileIdentity(1, 2, 3, new FileIdentity.Time(5, 6), time),
                    new FileIdentity(1, 2, 3, time, new FileIdentity.Time(6, 5)),
                    new FileIdentity(1, 2, 3, time, new FileIdentity.Time(5, 6)))) {
                tags.add(Representation.of(identity, "x", policy, NOW).described("ETag"));
            }
            assertThat(tags).hasSize(8);
        }

        @Test
        void manyFilesHaveManyTags() {
            Set<String> tags = new HashSet<>();
            for (int inode = 0; inode < 20_000; inode++) {
                FileIdentity.Time time = new FileIdentity.Time(MODIFIED, inode % 7);
                tags.add(Representation.of(new FileIdentity(1, inode, inode % 3, time, time), "x", policy, NOW)
                        .described("ETag"));
            }
            assertThat(tags).hasSize(20_000);
        }
    }

    /// RFC 9110 §9.3.2
    @Nested
    class Head {
        @Test
        void headHasTheFieldsOfGetAndNoContent() {
            Emitted head = given("HEAD");
            assertThat(head.head().http1()).isEqualTo(given("GET").head().http1());
            assertThat(head.content()).isEmpty();
        }

        /// §14.2: Range is defined for GET alone.
        @Test
        void headIgnoresRange() {
            assertThat(given("HEAD", "Range: bytes=0-1").status()).isEqualTo(200);
            assertThat(given("HEAD", "Range: bytes=99-").status()).isEqualTo(200);
        }

        @Test
        void headIsConditionalLikeGet() {
            assertThat(given("HEAD", "If-None-Match: " + etag()).status()).isEqualTo(304);
            assertThat(refused("HEAD", "If-Match: \"other\"").refusal()).isEqualTo(Refusal.PRECONDITION_FAILED);
        }
    }

    /// RFC 9110 §13: the ladder itself is tested with the semantics; here is that it is asked, first, and obeyed.
    @Nested
    class Preconditions {
        @Test
        void matchingEntityTagIsNotModified() {
            Emitted answer = given("GET", "If-None-Match: \"other\", " + etag());
            assertThat(answer.status()).isEqualTo(304);
            assertThat(answer.content()).isEmpty();
        }

        @Test
        void dateOfTheFileIsNotModified() {
            assertThat(given("GET", "If-Modified-Since: " + HttpDate.format(MODIFIED)).status()).isEqualTo(304);
            assertThat(given("GET", "If-Modified-Since: " + HttpDate.format(MODIFIED - 1)).status()).isEqualTo(200);
        }

        /// §15.4.5: nothing but what a cache needs.
        @Test
        void notModifiedRepeatsTheTagAndTheCachingFieldsAlone() {
            policy = new FilePolicy(new StaticFilesFixture(directory).cacheMaxAge(Duration.ofMinutes(5))
                    .headers(Map.of("Vary", "Origin", "X-Other", "1"))
                    .build());
            Emitted answer = given("GET", "If-None-Match: *");
            assertThat(answer.names()).containsExactly("ETag", "Cache-Control", "Vary", "Vary");
            assertThat(new String(answer.head().http1(), StandardCharsets.US_ASCII))
                    .doesNotContain("Content-");
        }

        @Test
        void otherEntityTagFailsThePrecondition() {
            assertThat(refused("GET", "If-Match: \"other\"")).isEqualTo(new Answer.Refused(
                    Refusal.PRECONDITION_FAILED, List.of()));
            assertThat(refused("GET", "If-Unmodified-Since: " + HttpDate.format(MODIFIED - 1)).refusal())
                    .isEqualTo(Refusal.PRECONDITION_FAILED);
        }

        /// §13.2.2: Range comes last.
        @Test
        void preconditionsComeBeforeTheRange() {
            assertThat(given("GET", "If-None-Match: " + etag(), "Range: bytes=0-1").status()).isEqualTo(304);
            assertThat(given("GET", "If-None-Match: " + etag(), "Range: bytes=99-").status()).isEqualTo(304);
            assertThat(refused("GET", "If-Match: \"other\"", "Range: bytes=99-").refusal()).isEqualTo(
                    Refusal.PRECONDITION_FAILED);
        }

        /// §13.1.5
        @Test
        void rangeAppliesOnlyToTheRepresentationThatIfRangeNames() {
            assertThat(given("GET", "Range: bytes=0-1", "If-Range: " + etag()).status()).isEqualTo(206);
            assertThat(given("GET", "Range: bytes=0-1", "If-Range: " + HttpDate.format(MODIFIED)).status())
                    .isEqualTo(206);
            assertThat(given("GET", "Range: bytes=0-1", "If-Range: \"other\"").status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=0-1", "If-Range: W/" + etag()).status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=99-", "If-Range: \"other\"").status()).isEqualTo(200);
        }
    }

    /// RFC 9110 §14 and §15.3.7
    @Nested
    class Ranges {
        @Test
        void oneRangeIsThatPart() {
            Emitted part = given("GET", "Range: bytes=5-9");
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.text()).isEqualTo("56789");
            assertThat(part.field("Content-Range")).isEqualTo("bytes 5-9/20");
            assertThat(part.field("ETag")).isEqualTo(etag());
            assertThat(part.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        }

        @Test
        void suffixAndOpenRangeEndWithTheFile() {
            assertThat(given("GET", "Range: bytes=-3").text()).isEqualTo("hij");
            assertThat(given("GET", "Range: bytes=18-").text()).isEqualTo("ij");
            assertThat(given("GET", "Range: bytes=18-99").field("Content-Range")).isEqualTo("bytes 18-19/20");
        }

        @Test
        void unknownUnitAndMalformedRangeAreIgnored() {
            assertThat(given("GET", "Range: lines=1-2").status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=2-1").status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=0-1", "Range: bytes=3-4").status()).isEqualTo(200);
        }

        /// §15.5.17
        @Test
        void rangePastTheEndIsNotSatisfiableAndSaysTheSize() {
            assertThat(refused("GET", "Range: bytes=20-")).isEqualTo(new Answer.Refused(
                    Refusal.RANGE_NOT_SATISFIABLE, List.of(new Field("Content-Range", "bytes */20"))));
            assertThat(refused("GET", "Range: bytes=-0").refusal()).isEqualTo(Refusal.RANGE_NOT_SATISFIABLE);
        }

        /// §14.6
        @Test
        void severalRangesAreParts() {
            Emitted parts = given("GET", "Range: bytes=0-1,5-6, -1");
            assertThat(parts.status()).isEqualTo(206);
            assertThat(parts.field("Content-Type")).isEqualTo("multipart/byteranges; boundary=BOUNDARY");
            assertThat(parts.field("Content-Range")).isNull();
            assertThat(parts.names()).doesNotHaveDuplicates();
            assertThat(parts.text()).isEqualTo("""
                    --BOUNDARY\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 0-1/20\r
                    \r
                    01\r
                    --BOUNDARY\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 5-6/20\r
                    \r
                    56\r
                    --BOUNDARY\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 19-19/20\r
                    \r
                    j\r
                    --BOUNDARY--\r
                    """);
        }

        /// §15.3.7.2: a single part is never sent as multipart, however many were asked for.
        @Test
        void oneSatisfiableRangeOfSeveralIsOnePart() {
            assertThat(given("GET", "Range: bytes=3-4,90-99").field("Content-Range")).isEqualTo("bytes 3-4/20");
        }

        @Test
        void abusiveRangesAreAnsweredWithTheWhole() {
            assertThat(given("GET", "Range: bytes=0-,0-,0-").status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=5-6,0-1").status()).isEqualTo(200);
            assertThat(given("GET", "Range: bytes=" + "0-0,".repeat(17)).status()).isEqualTo(200);
        }

        @Test
        void severalRangesOfAFileOnDiskAreStreamedWithAKnownLength() {
            Answer answer = answer(disk(), "GET", "Range: bytes=0-1,5-6");
            ResponsePlan plan = ((Answer.Given) answer).plan();
            assertThat(plan).isInstanceOf(ResponsePlan.Stream.class);
            assertThat(plan.head().contentLength()).isPositive();
            plan.release();
        }

        @Test
        void boundariesAreLongAndNeverTheSame() {
            FilePlanner real = FilePlanner.unguessable();
            Set<String> types = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                RequestHead head = TestRequest.head("GET", "/", "Range: bytes=0-1,5-6");
                types.add(emitted(real.plan(memory(), Method.GET, head, NOW), "GET").field("Content-Type"));
            }
            assertThat(types).hasSize(200).allMatch(type -> type.matches(
                    "multipart/byteranges; boundary=[A-Za-z0-9_-]{24}"));
        }
    }

    @Nested
    class EmptyFile {
        private final FileSource empty = new MemoryFile(representation("empty.html", 0), new byte[0]);

        @Test
        void emptyFileIsEmptyContent() {
            Emitted answer = emitted(answer(empty, "GET"), "GET");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.head().contentLength()).isZero();
        }

        @Test
        void noRangeOfAnEmptyFileIsSatisfiableButASuffixIsTheWhole() {
            assertThat(answer(empty, "GET", "Range: bytes=0-")).isEqualTo(new Answer.Refused(
                    Refusal.RANGE_NOT_SATISFIABLE, List.of(new Field("Content-Range", "bytes */0"))));
            assertThat(emitted(answer(empty, "GET", "Range: bytes=-5"), "GET").status()).isEqualTo(200);
        }

        @Test
        void emptyFileOnDiskIsClosedAtOnce() throws IOException {
            CountedFile file = new CountedFile(Files.createFile(directory.resolve("empty")));
            ResponsePlan plan = ((Answer.Given) answer(
                    new DiskFile(ReadyHeads.of(representation("empty", 0)), file), "GET")).plan();
            assertThat(plan).isInstanceOf(ResponsePlan.Empty.class);
            assertThat(file.closes).isEqualTo(1);
            Files.delete(directory.resolve("empty"));
        }
    }

    /// What comes out of a multipart answer is what its ranges say, whatever they are.
    @Property(tries = 200)
    void multipartHasTheLengthItSaysAndTheBytesOfItsRanges(
            @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = 20) Integer> lengths) {
        byte[] content = new byte[200];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) ('a' + i % 26);
        }
        List<ByteRange> ranges = new ArrayList<>();
        long at = 0;
        for (int length : lengths) {
            ranges.add(new ByteRange(at, at + length - 1));
            at += length + 1;
        }
        Representation representation = new Representation(identity(content.length, MODIFIED), false, content.length,
                representation().validators(), "text/plain", false, false, true,
                List.of(new Field("Content-Type", "text/plain")), List.of());
        Emitted emitted = Emitted.of(new MemoryFile(representation, content).parts(ranges, "B"), true);
        assertThat(emitted.head().contentLength()).isEqualTo(emitted.content().length);
        for (ByteRange range : ranges) {
            assertThat(emitted.text()).contains("bytes " + range.first() + "-" + range.last() + "/200\r\n\r\n"
                    + new String(content, (int) range.first(), (int) range.length(),
                            StandardCharsets.US_ASCII)
                    + "\r\n--B");
        }
    }
}
