package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whether the next attempt goes on with the order of the one before, or makes another.
class KeptOrderTest extends StubbedAttempts {
    @Test
    void orderThatIsRefusedAtItsEndIsNotTriedAgain() throws Exception {
        authority.answering("/finalize", exchange -> StubAuthority.problem(exchange, 400, "badCSR"));
        fail(Reason.CA_REJECTED);
        authority.asUsual("/finalize");
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(2);
    }

    @Test
    void orderWhoseAuthorityFailsForAMomentIsTakenUpAgain() throws Exception {
        authority.answering("/finalize", exchange -> StubAuthority.problem(exchange, 500, "serverInternal"));
        fail(Reason.CA_REJECTED);
        authority.asUsual("/finalize");
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rateLimited", "serverInternal"})
    void orderThatCannotBeLookedAtForAMomentIsKept(String type) throws Exception {
        authority.answering("/finalize", exchange -> StubAuthority.problem(exchange, 500, "serverInternal"));
        fail(Reason.CA_REJECTED);
        authority.asUsual("/finalize");
        authority.answering("/order", exchange -> StubAuthority.problem(exchange, 429, type));
        fail(Reason.CA_REJECTED);
        authority.asUsual("/order");
        client.order(3);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(1);
    }

    /// One attempt places the order and fails, then each takes it up again, over restarts too.
    @ParameterizedTest
    @ValueSource(strings = {"<html>log in to the hotel</html>", "{\"status\":7}", "[]"})
    void orderOfWhichNothingReadableIsSaidIsGivenUpAfterFourAttempts(String answer) throws Exception {
        loseTheOrder();
        authority.answering("/order", exchange -> StubAuthority.json(exchange, 200, answer));
        for (int attempt = 2; attempt <= 4; attempt++) {
            assertThat(state.order().whole()).as("before attempt " + attempt).isPresent();
            reopen(Optional.empty(), SHORT, "example.com");
            fail(Reason.NETWORK_FAILURE);
        }
        assertThat(state.order().whole()).isEmpty();
        authority.asUsual("/order");
        client.order(5);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(2);
    }

    /// What cannot be kept of a failure does not hide it, nor until when the authority wants to be left alone.
    @ParameterizedTest
    @ValueSource(strings = {"serverInternal", "badCSR"})
    void whatCannotBeWrittenOfAFailedOrderIsSaidBesideWhatFailed(String type) throws Exception {
        loseTheOrder();
        authority.answering("/finalize", exchange -> {
            // A directory that is not empty stands in the way of both: of the file that is to be written, and of the one to be removed.
            Path kept = order();
            Files.delete(kept);
            for (String name : List.of("order", "order.new")) {
                Files.createDirectories(kept.resolveSibling(name).resolve("full"));
            }
            exchange.getResponseHeaders().set("Retry-After", "7200");
            StubAuthority.problem(exchange, 503, type);
        });
        client.order(2);
        assertThat(replies.next(Reply.NotKept.class).detail()).contains("order");
        Reply.Failed failed = replies.next(Reply.Failed.class);
        assertThat(failed.reason()).as(failed.detail()).isEqualTo(Reason.CA_REJECTED);
        assertThat(failed.detail()).contains(type);
        assertThat(failed.retryAfter()).isPresent();
    }

    @Test
    void orderThatIsFoundDamagedAfterAFailureIsSaidToBe() throws Exception {
        loseTheOrder();
        authority.answering("/finalize", exchange -> {
            Files.writeString(order(), "garbage");
            StubAuthority.problem(exchange, 500, "serverInternal");
        });
        client.order(2);
        assertThat(replies.next(Reply.Damaged.class).keptAs()).hasFileName("order.damaged");
        assertThat(replies.next(Reply.Failed.class).reason()).isEqualTo(Reason.CA_REJECTED);
    }

    private Path order() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.getFileName().toString().equals("order")).findFirst().orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410})
    void orderThatIsNotThereAnyMoreIsFollowedByAnotherAtOnceWhateverThePageSays(int status) throws Exception {
        loseTheOrder();
        authority.answering("/order", exchange -> {
            authority.asUsual("/order");
            StubAuthority.send(exchange, status, "text/html", "<h1>nothing here</h1>");
        });
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(2);
    }

    /// Another order would not be answered sooner, and is what limits count.
    @Test
    void orderIsKeptForAsLongAsItIsALimitThatStandsAgainstIt() throws Exception {
        loseTheOrder();
        authority.answering("/order", exchange -> StubAuthority.problem(exchange, 429, "rateLimited"));
        for (int attempt = 0; attempt < 6; attempt++) {
            fail(Reason.CA_REJECTED);
        }
        authority.asUsual("/order");
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(1);
    }

    @Test
    void orderBegunInAnotherProfileIsNotTakenUp() throws Exception {
        authority.meta("\"profiles\":{\"classic\":\"ninety days\",\"shortlived\":\"six days\"}");
        reopen(Optional.of("classic"), "example.com");
        loseTheOrder();
        reopen(Optional.of("classic"), "example.com");
        authority.answering("/finalize", exchange -> StubAuthority.problem(exchange, 500, "serverInternal"));
        fail(Reason.CA_REJECTED);
        assertThat(authority.orders()).as("the same profile").hasSize(1);
        authority.asUsual("/finalize");
        reopen(Optional.of("shortlived"), "example.com");
        client.order(3);
        replies.next(Reply.Obtained.class);
        assertThat(authority.orders()).hasSize(2);
        assertThat(authority.orders().getLast().get("profile").asString()).isEqualTo("shortlived");
    }

    @Test
    void refusalThatPassesIsNotAnsweredByAnotherOrder() throws Exception {
        obtain();
        int before = authority.requests().size();
        authority.answering("/orders", exchange -> StubAuthority.problem(exchange, 429, "rateLimited"));
        fail(Reason.CA_REJECTED);
        assertThat(authority.requests().subList(before, authority.requests().size())).filteredOn("/orders"::equals)
                .hasSize(1);
    }
}
