package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Moment;
import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import io.servery.supervisor.Census;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Descriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The operator socket over real connections: who asks well, badly, not at all, and who does not wait for the answer.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class OperatorsTest {
    private static final OperatorReply REPLY = OperatorReply.out(ExitCode.OK, "well\n");

    /// A request, and who waits.
    private record Asked(Asker asker, OperatorRequest request) {
    }

    @TempDir
    Path folder;

    private List<String> before = List.of();
    private final List<Asked> asked = new ArrayList<>();
    private final List<UnixSocket> clients = new ArrayList<>();
    private final Moment begun = now();
    private Poller poller;
    private Operators operators;

    @BeforeEach
    void listen() throws IOException {
        before = Census.descriptors();
        poller = new Poller();
        operators = new Operators(folder.resolve("operator.sock"),
                (asker, request) -> asked.add(new Asked(asker, request)), _ -> {
                });
    }

    @AfterEach
    void nothingIsLeftOpen() {
        clients.forEach(UnixSocket::close);
        operators.close();
        poller.close();
        assertThat(Census.descriptors()).isEqualTo(before);
        assertThat(folder.resolve("operator.sock")).doesNotExist();
    }

    private static Moment now() {
        return new Moment(System.nanoTime());
    }

    /// The loop turns more often than there is something for it: what was sent is in its sockets by then. No time passes.
    private void turn() throws IOException {
        for (int turn = 0; turn < 60; turn++) {
            poller.await(operators.watched(), Duration.ZERO);
            operators.passed(begun);
        }
    }

    private UnixSocket connected() throws IOException {
        UnixSocket client = UnixSocket.connect(folder.resolve("operator.sock"));
        clients.add(client);
        return client;
    }

    private static void say(UnixSocket client, String words) throws IOException {
        client.send(ByteBuffer.wrap(words.getBytes(StandardCharsets.US_ASCII)), List.of());
    }

    /// All that was answered, and ` …` where the connection goes on.
    private static String heard(UnixSocket client) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(OperatorReply.BYTES_MAX);
        int read = 1;
        while (read > 0) {
            read = client.receive(bytes).bytes();
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()) + (read == 0 ? " …" : "");
    }

    private static String words(OperatorReply reply) {
        return new String(reply.encode(), StandardCharsets.UTF_8);
    }

    @Test
    void requestIsAnsweredAndTheConnectionEnds() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 status json\n");
        turn();
        assertThat(asked).extracting(Asked::request).containsExactly(new OperatorRequest(OperatorCommand.STATUS, true));
        assertThat(heard(client)).isEqualTo(" …");

        asked.getFirst().asker().answer(REPLY, now());
        assertThat(heard(client)).isEqualTo(words(REPLY));
    }

    @Test
    void requestThatComesInPiecesIsOne() throws IOException {
        UnixSocket client = connected();
        for (String piece : List.of("ser", "very/1 re", "load", "\n")) {
            assertThat(asked).isEmpty();
            say(client, piece);
            turn();
        }
        assertThat(asked).extracting(Asked::request)
                .containsExactly(new OperatorRequest(OperatorCommand.RELOAD, false));
    }

    @Test
    void whatIsNoRequestIsToldSo() throws IOException {
        UnixSocket wrong = connected();
        UnixSocket endless = connected();
        say(wrong, "GET / HTTP/1.1\r\n");
        say(endless, "x".repeat(4096));
        turn();

        assertThat(asked).isEmpty();
        assertThat(heard(wrong)).startsWith("servery/1 2 0 ").doesNotEndWith(" …");
        assertThat(endsWithinTurns(endless)).isTrue();
    }

    private boolean endsWithinTurns(UnixSocket client) throws IOException {
        turn();
        try {
            return !heard(client).endsWith(" …");
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void peerThatDoesNotAskIsLetGoAfterFiveSeconds() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 sta");
        turn();
        assertThat(heard(client)).isEqualTo(" …");
        Moment deadline = operators.deadline().orElseThrow();
        operators.passed(deadline);

        assertThat(deadline.since(begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        assertThat(heard(client)).isEmpty();
    }

    @Test
    void whoeverWaitsForAVerdictHasNoDeadline() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 reload\n");
        turn();
        operators.passed(now().plus(Duration.ofHours(1)));

        assertThat(operators.deadline()).isEmpty();
        assertThat(heard(client)).isEqualTo(" …");
    }

    @Test
    void peerThatDoesNotReadItsAnswerIsLetGo() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 status\n");
        turn();
        asked.getFirst().asker().answer(OperatorReply.out(ExitCode.OK, "x".repeat(OperatorReply.TEXT_BYTES_MAX)),
                now());
        assertThat(asked.getFirst().asker().isClosed()).isFalse();
        operators.passed(operators.deadline().orElseThrow());

        assertThat(asked.getFirst().asker().isClosed()).isTrue();
    }

    @Test
    void answerThatNoSocketTakesAtOnceArrivesWhole() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 status\n");
        turn();
        OperatorReply large = OperatorReply.out(ExitCode.OK, "x".repeat(OperatorReply.TEXT_BYTES_MAX));
        asked.getFirst().asker().answer(large, now());
        StringBuilder all = new StringBuilder();
        for (int turns = 0; turns < 200 && !asked.getFirst().asker().isClosed(); turns++) {
            String part = heard(client);
            all.append(part, 0, part.length() - (part.endsWith(" …") ? 2 : 0));
            turn();
        }
        all.append(heard(client));

        assertThat(all.toString()).isEqualTo(words(large));
    }

    @Test
    void descriptorsThatNobodyAskedForAreClosed() throws IOException {
        List<String> idle = Census.descriptors();
        int[] pipe = Descriptors.pipe();
        UnixSocket client = connected();
        client.send(ByteBuffer.wrap("servery/1 status\n".getBytes(StandardCharsets.US_ASCII)),
                List.of(pipe[0], pipe[1]));
        turn();
        IntStream.of(pipe).forEach(Descriptors::close);
        asked.getFirst().asker().answer(REPLY, now());
        client.close();
        turn();

        assertThat(Census.descriptors()).isEqualTo(idle);
    }

    @Test
    void connectionsBeyondTheMostWaitUntilOthersEnd() throws IOException {
        List<UnixSocket> all = new ArrayList<>();
        for (int client = 0; client < 40; client++) {
            all.add(connected());
            say(all.getLast(), "servery/1 reload\n");
        }
        turn();
        assertThat(asked).hasSize(32);
        List.copyOf(asked).forEach(one -> one.asker().answer(REPLY, now()));
        turn();

        assertThat(asked).hasSize(40);
    }

    /// More of them than are held: the first of them go, one for each newcomer, and whoever has asked stays.
    @Test
    void silenceKeepsNobodyOut() throws IOException {
        UnixSocket waits = connected();
        say(waits, "servery/1 reload\n");
        turn();
        List<UnixSocket> silent = new ArrayList<>();
        for (int client = 0; client < 31; client++) {
            silent.add(connected());
        }
        turn();
        UnixSocket late = connected();
        say(late, "servery/1 status\n");
        turn();

        assertThat(asked).extracting(one -> one.request().command()).containsExactly(OperatorCommand.RELOAD,
                OperatorCommand.STATUS);
        assertThat(heard(silent.getFirst())).isEmpty();
        assertThat(heard(silent.get(1))).isEqualTo(" …");
        assertThat(heard(waits)).isEqualTo(" …");
    }

    @Test
    void whoeverIsGoneIsWaitedForByNobody() throws IOException {
        UnixSocket client = connected();
        say(client, "servery/1 drain\n");
        turn();
        operators.waitsForDrain(asked.getFirst().asker());
        client.close();
        turn();
        operators.published(Condition.WITHDRAWN, now());

        assertThat(asked.getFirst().asker().isClosed()).isTrue();
        assertThat(operators.watched()).hasSize(1); // the door
    }

    @Test
    void socketIsForItsOwnUserAlone() throws IOException {
        assertThat(Files.getPosixFilePermissions(folder.resolve("operator.sock")))
                .hasToString("[OWNER_READ, OWNER_WRITE]");
    }
}
