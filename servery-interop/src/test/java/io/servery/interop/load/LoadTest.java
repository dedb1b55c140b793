package io.servery.interop.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// The clients of a load see what a bad server does to them.
class LoadTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nDate: Tue, 02 Jan 2024 03:04:05 GMT\r\nContent-Length: 1024\r\n\r\n";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /// What a server does with a connection whose request it has read.
    private interface Deed {
        void to(Socket connection) throws IOException;
    }

    private static void answer(Socket connection, String text) throws IOException {
        connection.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void resetInsteadOfAnAnswer() throws Exception {
        seen(Lost.What.RESET, connection -> connection.setSoLinger(true, 0));
    }

    @Test
    void resetAfterTheAnswer() throws Exception {
        String whole = HEAD + new String(Target.at(0).small(), StandardCharsets.ISO_8859_1);
        seen(Lost.What.RESET, connection -> {
            answer(connection, whole);
            Client.pause(100);
            connection.setSoLinger(true, 0);
        });
    }

    @Test
    void endInsteadOfAnAnswer() throws Exception {
        seen(Lost.What.UNANSWERED, _ -> {
        });
    }

    @Test
    void endWithinAnAnswer() throws Exception {
        seen(Lost.What.CUT, connection -> answer(connection, HEAD + "half of it"));
    }

    @Test
    void otherBytes() throws Exception {
        seen(Lost.What.WRONG, connection -> answer(connection, HEAD + "x".repeat(1024)));
    }

    @Test
    void answerThatIsLate() throws Exception {
        String whole = HEAD + new String(Target.at(0).small(), StandardCharsets.ISO_8859_1);
        seen(Lost.What.LATE, connection -> {
            Client.pause(1_100);
            answer(connection, whole);
        });
    }

    @Test
    void refusal() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        try (Load load = Load.start(port, Load.Mix.PROBES_ONLY)) {
            await(load, Lost.What.REFUSED);
            load.stop();
        }
    }

    private static void await(Load load, Lost.What what) {
        Awaitility.await(what.toString()).atMost(PATIENCE).pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(load.lost()).extracting(Lost::what).contains(what));
        assertThat(load.lost()).extracting(Lost::what).containsOnly(what);
    }

    private static void seen(Lost.What what, Deed deed) throws Exception {
        Thread serving;
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Load load = Load.start(server.getLocalPort(), Load.Mix.PROBES_ONLY)) {
            serving = Thread.ofPlatform().daemon().start(() -> serve(server, deed));
            await(load, what);
            load.stop();
        }
        assertThat(serving.join(PATIENCE)).isTrue();
    }

    private static void serve(ServerSocket server, Deed deed) {
        while (true) {
            try {
                Socket connection = server.accept();
                Thread.ofPlatform().daemon().start(() -> treat(connection, deed));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void treat(Socket connection, Deed deed) {
        try (connection) {
            InputStream in = connection.getInputStream();
            for (int tail = 0; tail != 0x0D0A0D0A;) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                tail = tail << 8 | next;
            }
            deed.to(connection);
        } catch (IOException clientLeft) {
            // It has seen what it came for.
        }
    }
}
