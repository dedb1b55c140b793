package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.acme.Configured;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an authority is told of an account, and when.
class AccountsTest extends StubbedAttempts {
    /// RFC 8555, section 7.3.2.
    @Test
    void addressThatChangedIsToldOnceAndWithoutAnOrder() throws Exception {
        obtain();
        client.introduce();
        reopen(acme -> Configured.of(Optional.of("other@example.com"), acme));
        client.introduce();
        await().atMost(Duration.ofMinutes(2)).until(() -> state.account().whole().orElseThrow()
                .knows(Optional.of("other@example.com")));
        client.introduce();
        reopen(acme -> Configured.of(Optional.empty(), acme));
        client.introduce();
        await().atMost(Duration.ofMinutes(2)).until(() -> state.account().whole().orElseThrow()
                .knows(Optional.empty()));

        assertThat(authority.told().stream().filter(told -> told.path().equals("/account/1"))
                .map(StubAuthority.Told::contacts)).containsExactly(List.of("mailto:other@example.com"), List.of());
        assertThat(authority.told().getFirst().contacts()).containsExactly("mailto:admin@example.com");
        assertThat(authority.orders()).hasSize(1);
    }

    @Test
    void addressThatIsRefusedIsSaidAndKeepsNoCertificateFromComing() throws Exception {
        obtain();
        authority.answering("/account/1", exchange -> StubAuthority.problem(exchange, 400, "invalidContact"));
        reopen(acme -> Configured.of(Optional.of("nobody@nowhere"), acme));
        client.order(2);
        assertThat(replies.next(Reply.AccountNotUpdated.class).detail())
                .isEqualTo("urn:ietf:params:acme:error:invalidContact: because");
        replies.next(Reply.Obtained.class);
        authority.asUsual("/account/1");
        client.order(3);
        replies.next(Reply.Obtained.class);
        assertThat(state.account().whole().orElseThrow().knows(Optional.of("nobody@nowhere"))).isTrue();
    }

    /// acme4j says by unchecked exceptions what cannot be read.
    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"type\":7}", "{\"type\":\":\"}", "{}"})
    void answerAboutAnAddressThatCannotBeReadKeepsNoCertificateFromComing(String answer) throws Exception {
        obtain();
        authority.answering("/account/1", exchange -> StubAuthority.json(exchange, 400, answer));
        reopen(acme -> Configured.of(Optional.of("other@example.com"), acme));
        client.order(2);
        assertThat(replies.next(Reply.AccountNotUpdated.class).detail()).isNotBlank();
        replies.next(Reply.Obtained.class);
    }

    /// The authority has not said anything: we have hung up.
    @Test
    void addressWhoseTellingEndsWithTheClientIsNoFailureOfTheAuthority() throws Exception {
        obtain();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        authority.answering("/account/1", exchange -> {
            asked.countDown();
            assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
        });
        reopen(acme -> Configured.of(Optional.of("other@example.com"), acme));
        client.introduce();
        assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
        client.close();
        closed.countDown();
        assertThat(replies.isEmpty()).isTrue();
        assertThat(state.account().whole().orElseThrow().knows(Optional.of("other@example.com"))).isFalse();
    }

    @Test
    void authorityThatCannotBeToldOfAnAddressIsSaid() throws Exception {
        obtain();
        authority.answering("/dir", exchange -> StubAuthority.send(exchange, 503, "text/html", "<h1>back soon</h1>"));
        reopen(acme -> Configured.of(Optional.of("other@example.com"), acme));
        client.introduce();
        assertThat(replies.next(Reply.AccountNotUpdated.class).detail()).contains("503");
    }

    /// RFC 8555, section 7.3.4: an account is bound when it is made.
    @Test
    void anotherExternalAccountIsAnotherAccountAndTheFormerIsFoundAgain() throws Exception {
        obtain();
        reopen(acme -> Configured.bound("kid-2", "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA", acme));
        client.introduce();
        await().atMost(Duration.ofMinutes(2)).until(() -> state.account().whole().filter(one -> one.told())
                .isPresent());
        client.order(2);
        replies.next(Reply.Obtained.class);
        assertThat(authority.told().getLast().external()).contains("kid-2");
        assertThat(authority.accounts()).isEqualTo(2);

        reopen(acme -> acme);
        client.order(3);
        replies.next(Reply.Obtained.class);
        assertThat(authority.accounts()).isEqualTo(2);
        assertThat(authority.told().getLast().external()).isEmpty();
    }
}
