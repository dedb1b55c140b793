package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.acme.Issuer;
import io.servery.acme.renewal.Window;
import io.servery.core.reason.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an authority may say that pebble does not: suggestions, profiles, limits, and nonsense.
class StubAuthorityTest extends StubbedAttempts {
    /// Whole seconds, as RFC 9773 is written with and acme4j keeps milliseconds at most.
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    /// RFC 9773, section 4.
    @Test
    void suggestedWindowIsAskedForByTheIdentifierOfTheCertificate() throws Exception {
        obtain();
        Window window = new Window(now.plusSeconds(1000), now.plusSeconds(2000));
        authority.answering("/ari", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "21600");
            StubAuthority.json(exchange, 200, ari(window.start(), window.end()));
        });
        client.consult(2);
        Reply.Consulted consulted = replies.next(Reply.Consulted.class);
        assertThat(consulted.window()).contains(window);
        assertThat(consulted.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(21_000), Duration.ofSeconds(
                21_610));
        assertThat(authority.requests().getLast()).matches("/ari/[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    }

    @Test
    void renewalNamesTheCertificateThatItReplaces() throws Exception {
        obtain();
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders().getFirst().contains("replaces")).isFalse();
        assertThat(authority.orders().getLast().get("replaces").asString()).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    }

    @Test
    void addressIsOrderedInTheShortestForm() throws Exception {
        reopen(Optional.empty(), "2001:db8:0:0:0:0:0:1");
        authority.issuing(key -> List.of(authority.issuer().issue(Issuer.Wish.of("2001:db8::1"), key), authority
                .issuer().certificate()));
        obtain();
        assertThat(authority.orders().getFirst().get("identifiers").asArray().get(0).asObject().get("value").asString())
                .isEqualTo("2001:db8::1");
    }

    @Test
    void compressedAnswerIsANetworkFailureWhateverItHolds() throws Exception {
        authority.answering("/orders", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            StubAuthority.json(exchange, 201, "{}");
        });
        assertThat(fail(Reason.NETWORK_FAILURE).detail()).contains("found an answer with Content-Encoding: gzip");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alreadyReplaced", "malformed", "unauthorized"})
    void certificateThatCannotBeReplacedIsOrderedWithoutNamingIt(String type) throws Exception {
        obtain();
        int before = authority.requests().size();
        authority.answering("/orders", exchange -> {
            authority.asUsual("/orders");
            StubAuthority.problem(exchange, 409, type);
        });
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders().getLast().contains("replaces")).isFalse();
        assertThat(authority.requests().subList(before, authority.requests().size())).filteredOn("/orders"::equals)
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"suggestedWindow\":{\"start\":\"soon\",\"end\":\"later\"}}", "[]", "no JSON",
            "{\"suggestedWindow\":{\"start\":\"2026-01-02T00:00:00Z\",\"end\":\"2026-01-01T00:00:00Z\"}}"})
    void suggestionThatIsNoneIsNoOpinion(String body) throws Exception {
        obtain();
        authority.answering("/ari", exchange -> StubAuthority.json(exchange, 200, body));
        client.consult(2);
        assertThat(replies.next(Reply.Consulted.class).window()).isEmpty();
    }

    @Test
    void authorityThatDoesNotKnowTheCertificateSaysWhenToAskAgain() throws Exception {
        obtain();
        authority.answering("/ari", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1000");
            StubAuthority.problem(exchange, 404, "malformed");
        });
        client.consult(2);
        Reply.Consulted consulted = replies.next(Reply.Consulted.class);
        assertThat(consulted.window()).isEmpty();
        assertThat(consulted.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(700), Duration.ofSeconds(1000));
    }

    @Test
    void addressIsOrderedInTheProfileThatItNeeds() throws Exception {
        authority.meta("\"profiles\":{\"classic\":\"ninety days\",\"shortlived\":\"six days\"}");
        reopen(Optional.empty(), "192.0.2.7");
        authority.issuing(key -> List.of(authority.issuer().issue(Issuer.Wish.of("192.0.2.7"), key), authority.issuer()
                .certificate()));
        obtain();
        assertThat(authority.orders().getFirst().get("profile").asString()).isEqualTo("shortlived");
    }

    @Test
    void profileOfTheConfigurationIsOrdered() throws Exception {
        authority.meta("\"profiles\":{\"classic\":\"ninety days\",\"shortlived\":\"six days\"}");
        reopen(Optional.of("classic"), "example.com");
        obtain();
        assertThat(authority.orders().getFirst().get("profile").asString()).isEqualTo("classic");
    }

    @Test
    void profileThatIsNotOfferedIsRejectedBeforeAnOrder() throws Exception {
        authority.meta("\"profiles\":{\"classic\":\"ninety days\",\"shortlived\":\"six days\"}");
        reopen(Optional.of("tlsserver"), "example.com");
        Reply.Failed failed = fail(Reason.CA_REJECTED);
        assertThat(failed.detail()).isEqualTo(
                "tls.acme.profile: found \"tlsserver\"; expected one of [classic, shortlived]");
        assertThat(authority.orders()).isEmpty();
    }

    /// RFC 8555, section 6.6.
    @Test
    void rateLimitIsHandedOnWithItsMoment() throws Exception {
        Instant before = Instant.now();
        authority.answering("/orders", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            StubAuthority.problem(exchange, 429, "rateLimited");
        });
        Reply.Failed failed = fail(Reason.CA_REJECTED);
        assertThat(failed.retryAfter().orElseThrow()).isBetween(before.plusSeconds(3600),
                Instant.now().plusSeconds(3600));
        assertThat(failed.detail()).isEqualTo("urn:ietf:params:acme:error:rateLimited: because");
    }

    @Test
    void maintenanceThatIsNoProblemDocumentIsHandedOnWithItsMomentToo() throws Exception {
        authority.answering("/dir", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "Fri, 01 Jan 2100 00:00:00 GMT");
            StubAuthority.send(exchange, 503, "text/html", "<h1>back soon</h1>");
        });
        Reply.Failed failed = fail(Reason.NETWORK_FAILURE);
        assertThat(failed.retryAfter()).contains(Instant.parse("2100-01-01T00:00:00Z"));
        assertThat(failed.detail()).contains("503");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dir", "/account", "/orders", "/order", "/certificate"})
    void answerThatIsNotAcmeIsANetworkFailure(String path) throws Exception {
        reopen(Optional.empty(), SHORT, "example.com");
        for (String body : List.of("<html>log in to the hotel</html>", "", "{", "[]", "null", "{\"status\":7}",
                "{\"newNonce\":\"::\",\"newAccount\":1}")) {
            authority.answering(path, exchange -> StubAuthority.json(exchange, 200, body));
            client.order(1);
            Reply reply = replies.next();
            assertThat(reply).as(path + " " + body).isInstanceOf(Reply.Failed.class);
            assertThat(((Reply.Failed) reply).reason()).as(path + " " + body + " " + reply).isIn(Reason.NETWORK_FAILURE,
                    Reason.INVALID_MATERIAL);
        }
        authority.asUsual(path);
        reopen(Optional.empty(), "example.com");
        client.order(2);
        replies.next(Reply.Obtained.class);
    }

    @Test
    void wordsOfTheAuthorityArePrintableAndBounded() throws Exception {
        authority.answering("/orders", exchange -> StubAuthority.json(exchange, 403,
                "{\"type\":\"urn:ietf:params:acme:error:unauthorized\",\"detail\":\"a\\u001b[31m\\n" + "x".repeat(9000)
                        + "\"}"));
        assertThat(fail(Reason.CA_REJECTED).detail()).hasSizeLessThan(600).matches("[ -~]+");
    }

    /// The head comes, the content does not.
    @Test
    void answerThatNeverEndsIsANetworkFailureInTime() throws Exception {
        reopen(Optional.empty(), SHORT, "example.com");
        CountDownLatch over = new CountDownLatch(1);
        authority.answering("/orders", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            over.await();
        });
        Reply.Failed failed = fail(Reason.NETWORK_FAILURE);
        over.countDown();
        assertThat(failed.detail()).contains("found no whole answer of 127.0.0.1").contains("within PT5S");
    }

    @Test
    void authorityThatAcceptsAndSaysNothingIsANetworkFailureInTime() throws Exception {
        reopen(Optional.empty(), SHORT, "example.com");
        CountDownLatch over = new CountDownLatch(1);
        authority.answering("/dir", _ -> over.await());
        fail(Reason.NETWORK_FAILURE);
        over.countDown();
    }

    @Test
    void answerWithoutABoundIsANetworkFailure() throws Exception {
        authority.answering("/dir", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            byte[] spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
            try {
                for (int i = 0; i < 64; i++) {
                    exchange.getResponseBody().write(spaces);
                }
            } catch (IOException theyHaveSeenEnough) {
                return;
            }
        });
        fail(Reason.NETWORK_FAILURE);
    }

    @Test
    void stopDuringARequestIsAnsweredAtOnce() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        authority.answering("/orders", _ -> {
            asked.countDown();
            over.await();
        });
        reopen(Optional.empty(), Limits.USUAL, "example.com");
        client.order(1);
        assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();
        client.cancel(1);
        assertThat(replies.next()).isEqualTo(new Reply.Cancelled(1));
        over.countDown();
    }

    @Test
    void certificateThatIsNotWhatWasAskedForIsInvalidMaterialAndNothingIsKept() throws Exception {
        authority.issuing(_ -> List.of(authority.issuer().issue(Issuer.Wish.of("example.com"), Issuer.key()), authority
                .issuer().certificate()));
        assertThat(fail(Reason.INVALID_MATERIAL).detail()).startsWith(
                "`private key`: found a key that does not belong to the certificate");
        authority.issuing(key -> List.of(authority.issuer().issue(Issuer.Wish.of("example.com", "other.example"), key),
                authority.issuer().certificate()));
        assertThat(fail(Reason.INVALID_MATERIAL).detail()).isEqualTo(
                "`names`: found example.com other.example; expected example.com");
        Issuer.Wish later = Issuer.Wish.of("example.com").during(now.plusSeconds(100_000), now.plusSeconds(900_000));
        authority.issuing(
                key -> List.of(authority.issuer().issue(later, key), authority.issuer().certificate()));
        assertThat(fail(Reason.INVALID_MATERIAL).detail()).contains(", which is not valid before ");
        authority.issuing(key -> List.of(authority.issuer().issue(Issuer.Wish.of("example.com").forUsage(
                KeyPurposeId.id_kp_codeSigning), key), authority.issuer().certificate()));
        assertThat(fail(Reason.INVALID_MATERIAL).detail()).contains(", which is not for servers");
        authority.issuing(key -> List.of(authority.issuer().issue(Issuer.Wish.of("example.com"), key), Issuer.root()
                .certificate()));
        assertThat(fail(Reason.INVALID_MATERIAL).detail()).contains("; expected that of its issuer");
        authority.issuing(_ -> List.of());
        fail(Reason.INVALID_MATERIAL);
        assertThat(state.candidate().whole()).isEmpty();
    }

    @Test
    void stateDirectoryThatCannotBeWrittenIsAStorageFailure() throws Exception {
        try (Stream<Path> made = Files.list(directory.resolve("acme"))) {
            for (Path account : made.filter(path -> path.getFileName().toString().startsWith("account")).toList()) {
                Files.delete(account);
            }
        }
        fail(Reason.STORAGE_FAILURE);
    }

    @Test
    void threadIsThereOnlyWhileThereIsSomethingToDo() throws Exception {
        obtain();
        await().atMost(Duration.ofMinutes(2)).until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(
                thread -> thread.getName().equals("acme") || thread.getName().startsWith("HttpClient")));
    }

    private static String ari(Instant start, Instant end) {
        return "{\"suggestedWindow\":{\"start\":\"" + start + "\",\"end\":\"" + end + "\"}}";
    }
}
