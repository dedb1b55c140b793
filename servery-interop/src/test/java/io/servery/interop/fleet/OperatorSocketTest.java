package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The socket of the operator: who may use it, what `status` says over it, and that no bytes on it harm the service.
class OperatorSocketTest {
    private static final int MANY = 200;
    private static final int LONG_LINE_BYTES = 10 * 1024 * 1024;
    /// What the parent may keep of lines that nobody ends.
    private static final long GROWTH_BYTES_MAX = 24L << 20;

    @TempDir
    static Path folder;
    private static Service service;

    @BeforeAll
    static void start() {
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 2"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @AfterEach
    void serviceIsWhatItWas() {
        assertThat(service.ready()).isTrue();
        assertThat(service.generation()).isEqualTo(1);
        assertThat(service.workers()).hasSize(2);
        assertThat(service.events("worker.exited", 0)).isEmpty();
        assertThat(service.errorText()).doesNotContain("runtime.bug").doesNotContain("\tat ");
        assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
        Said said = service.run("status", "--ready");
        assertThat(said.code()).as(said.toString()).isZero();
    }

    private static SocketChannel open() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(service.configuration().operatorSocket()));
        return channel;
    }

    /// Sends what the other end may refuse to take.
    private static void trySend(SocketChannel channel, byte[] bytes) {
        try {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        } catch (IOException refused) {
            // That is an answer too.
        }
    }

    @Test
    void isForItsOwnerAlone() throws IOException {
        Path socket = service.configuration().operatorSocket();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket))).isEqualTo("rw-------");
        assertThat(PosixFilePermissions
                .toString(Files.getPosixFilePermissions(service.configuration().runtimeDirectory())))
                .isEqualTo("rwx------");
    }

    @Test
    @SuppressWarnings("unchecked")
    void statusSaysWhatRuns() {
        Map<String, Object> status = service.status();
        assertThat(status).containsKeys("state", "ready", "reasons", "generation", "uptime_seconds", "workers",
                "listeners", "certificates");
        assertThat(status).containsEntry("state", "ready").containsEntry("ready", true).containsEntry("generation",
                1.0);
        assertThat((List<Object>) status.get("reasons")).isEmpty();
        List<Map<String, Object>> workers = (List<Map<String, Object>>) status.get("workers");
        assertThat(workers).extracting(worker -> worker.get("slot")).containsExactly(0.0, 1.0);
        assertThat(workers).extracting(worker -> ((Double) worker.get("pid")).longValue())
                .containsExactlyInAnyOrderElementsOf(service.workerPids());
        assertThat(workers).allSatisfy(worker -> {
            assertThat(worker).containsEntry("generation", 1.0).containsEntry("state", "ready")
                    .containsKeys("age_seconds", "connections");
        });
        assertThat(status.get("listeners").toString()).contains(Integer.toString(service.port()));
        Said text = service.run("status");
        assertThat(text.code()).isZero();
        for (long pid : service.workerPids()) {
            assertThat(text.output()).contains(Long.toString(pid));
        }
    }

    @Test
    void garbageIsRefused() throws IOException {
        Random random = new Random(17);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[random.nextInt(1, 4_000)];
            random.nextBytes(bytes);
            try (SocketChannel channel = open()) {
                trySend(channel, bytes);
            }
        }
        for (String words : List.of("\n", "{}\n", "stop", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "reload\0\n",
                "\u00ff\u00ff\u00ff\u00ff")) {
            try (SocketChannel channel = open()) {
                trySend(channel, words.getBytes(StandardCharsets.ISO_8859_1));
                channel.shutdownOutput();
                channel.read(ByteBuffer.allocate(4_096));
            }
        }
    }

    @Test
    void lineWithoutAnEndIsNotKept() throws IOException {
        long before = service.parent().residentBytes();
        byte[] line = "a".repeat(LONG_LINE_BYTES).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 5; i++) {
            try (SocketChannel channel = open()) {
                trySend(channel, line);
            }
        }
        assertThat(service.parent().residentBytes() - before).isLessThan(GROWTH_BYTES_MAX);
    }

    /// Several times what is held and what is queued. A command beside them is answered; afterwards the parent holds as many descriptors as before.
    @Test
    void manyThatSayNothingKeepNobodyOut() throws IOException {
        OsProcess parent = service.parent();
        int before = parent.descriptors();
        List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                silent.add(open()); // waits until there is room in the queue, connect(2)
            }
            Said said = service.run("status", "--ready");
            assertThat(said.code()).as(said.toString()).isZero();
            assertThat(service.ready()).isTrue();
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
        service.await("descriptors given back", () -> parent.descriptors() <= before);
    }
}
