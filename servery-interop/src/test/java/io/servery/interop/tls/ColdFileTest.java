package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.servery.interop.Answer;
import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.SystemCalls;
import io.servery.interop.WireConnection;
import io.servery.interop.SystemCalls.Call;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files that are on the disk alone: the filesystem lane waits for it, and event loops send what is in memory.
class ColdFileTest {
    private static final String COLD = "cold.bin";
    private static final int BYTES = 10 * 1024 * 1024;
    private static final byte[] CONTENT = Site.pattern(BYTES, 7);
    /// What the lane brings in at a time.
    private static final long PART_BYTES = 2 * 1024 * 1024;
    private static final String LANE = "filesystem-";

    @TempDir
    Path folder;

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /// Has the kernel forget the bytes of a file; skips the test where its file system has no other place for them.
    private static void drop(Path file) throws Exception {
        run("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none");
        assumeThat(run("fincore", "--bytes", "--noheadings", "--output", "RES", file.toString()))
                .as("bytes in memory of a file that was to be dropped: its file system keeps them").isEqualTo("0");
    }

    /// What was read of the file, more than single bytes, by threads of such names.
    private static long read(List<Call> calls, OsProcess process, Path file, Predicate<String> thread) {
        return calls.stream()
                .filter(call -> call.name().matches("p?readv?(64)?") && call.names(file.toString())
                        && call.result() > 0)
                .filter(call -> thread.test(process.threadName(call.thread()))).mapToLong(Call::result).sum();
    }

    @ParameterizedTest
    @EnumSource
    void laneWaitsForTheDisk(Way way) throws Exception {
        Site site = Site.generate(folder.resolve("site"));
        site.put(COLD, CONTENT);
        Authority authority = Authority.create(folder, "authority");
        Configuration plain = Configuration.of(folder, site.root()).runtime("transport = \"" + way.transport() + "\"");
        try (Service service = Service.start(way.secure()
                ? plain.tls(authority.issue(Wanted.of("site", "localhost")).manual())
                : plain)) {
            List<OsProcess> workers = service.workers();
            OsProcess serving = workers.isEmpty() ? service.parent() : workers.getFirst();
            drop(site.path(COLD));
            try (SystemCalls calls = SystemCalls.of(serving, folder);
                    WireConnection connection = way.secure()
                            ? new Peer(service.port(), authority.root(), folder).connect("localhost")
                            : WireConnection.open(service.port())) {
                Answer part = connection.send("GET /" + COLD + " HTTP/1.1\r\nHost: localhost\r\n"
                        + "Range: bytes=100-\r\n\r\n").answer();
                assertThat(part.status()).isEqualTo(206);
                assertThat(part.body()).isEqualTo(Arrays.copyOfRange(CONTENT, 100, BYTES));
                Answer whole = connection.send("GET /" + COLD + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer();
                assertThat(whole.body()).isEqualTo(CONTENT);
                List<Call> all = calls.stop();
                // The kernel reads ahead of who reads in order, how far is its administrator's choice: that comes by nobody's call.
                assertThat(read(all, serving, site.path(COLD), name -> name.startsWith(LANE)))
                        .as("read by the lane, of the first answer alone").isBetween(PART_BYTES, (long) BYTES);
                assertThat(read(all, serving, site.path(COLD), name -> !name.startsWith(LANE)))
                        .as("read by event loops, for TLS").isEqualTo(way.secure() ? 2L * BYTES - 100 : 0);
            }
        }
    }
}
