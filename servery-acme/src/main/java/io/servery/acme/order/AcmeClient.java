package io.servery.acme.order;

import io.servery.acme.challenge.ChallengeBoard;
import io.servery.acme.renewal.History;
import io.servery.acme.store.StateDirectory;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;

/// Speaks with one authority about one certificate, and writes its state directory, on a daemon thread of its own that is
/// there only while there is something to do.
///
/// Every method returns at once. What was asked for with a number is answered with it exactly once.
///
/// *Owner*: one thread, the loop of the parent.
public final class AcmeClient implements AutoCloseable {
    /// More than a [io.servery.acme.renewal.Renewal] ever has waiting.
    private static final int QUEUE_MAX = 64;
    private static final Duration THREAD_IDLE_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

    private final AcmeSettings settings;
    private final StateDirectory state;
    private final ChallengeBoard board;
    private final Mailbox mailbox;
    private final Clock clock;
    private final ThreadPoolExecutor thread;
    private final Cancellation introduction = new Cancellation();
    private Running running = new Running(0, new Cancellation());

    /// A client at rest: nothing is asked before the first call.
    ///
    /// @param state used by this client's thread alone from now on
    public AcmeClient(AcmeSettings settings, StateDirectory state, ChallengeBoard board, Mailbox mailbox, Clock clock) {
        this.settings = settings;
        this.state = state;
        this.board = board;
        this.mailbox = mailbox;
        this.clock = clock;
        thread = new ThreadPoolExecutor(1, 1, THREAD_IDLE_MAX.toMillis(), TimeUnit.MILLISECONDS,
                new ArrayBlockingQueue<>(QUEUE_MAX), Thread.ofPlatform().daemon().name("acme").factory());
        thread.allowCoreThreadTimeOut(true);
    }

    /// What is asked for last.
    private record Running(int number, Cancellation cancellation) {
    }

    /// Asks when to renew what is active; the answer is [Reply.Consulted].
    public void consult(int number) {
        Cancellation cancellation = begin(number);
        thread.execute(() -> mailbox.deliver(consultation(number, cancellation)));
    }

    /// Has the authority know what the settings say of the account, if it does not: that the address is another, or that the account
    /// is. An answer comes only where that fails: [Reply.AccountNotUpdated].
    public void introduce() {
        thread.execute(this::introduceNow);
    }

    /// Gets a certificate; the answer is [Reply.Obtained], [Reply.Failed] or [Reply.Cancelled].
    public void order(int number) {
        Cancellation cancellation = begin(number);
        thread.execute(() -> mailbox.deliver(attempt(number, cancellation)));
    }

    /// Ends what has this number, wherever it is: it is answered soon.
    public void cancel(int number) {
        if (running.number == number) {
            running.cancellation.cancel();
        }
    }

    /// What was obtained last is what is active, from now on and over restarts.
    public void promoteCandidate() {
        write(state::promoteCandidate);
    }

    /// What was obtained last could not be taken.
    public void discardCandidate() {
        write(state::discardCandidate);
    }

    /// Keeps what failed over restarts.
    public void remember(History history) {
        write(() -> state.keepHistory(history));
    }

    /// Cancels, and returns when the thread has ended, or after five seconds. What was begun and not answered is not answered
    /// any more, or later.
    @Override
    public void close() {
        running.cancellation.cancel();
        introduction.cancel();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException hurry) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /// The one before is over, or it is given up.
    private Cancellation begin(int number) {
        running.cancellation.cancel();
        running = new Running(number, new Cancellation());
        return running.cancellation;
    }

    private Reply consultation(int number, Cancellation cancellation) {
        Authority authority = new Authority(settings, cancellation, clock);
        Session session = authority.session();
        try {
            Optional<Identity> active = state.certificate().whole();
            Consultation.Opinion opinion = active.isEmpty()
                    ? Consultation.Opinion.none()
                    : Consultation.ask(session, active.get(), clock);
            return new Reply.Consulted(number, opinion.window(), opinion.retryAfter());
        } catch (AcmeException | IOException | RuntimeException | Error noOpinion) {
            return new Reply.Consulted(number, Optional.empty(), authority.retryAfter().map(at -> Duration.between(clock
                    .instant(), at)));
        } finally {
            session.getHttpClient().shutdownNow();
        }
    }

    private void introduceNow() {
        try {
            if (Accounts.kept(state, mailbox::deliver).filter(one -> one.knows(settings.acme().email())).isEmpty()) {
                login();
            }
        } catch (IOException notKept) {
            mailbox.deliver(new Reply.NotKept(String.valueOf(notKept.getMessage())));
        } catch (AttemptException | AcmeException | RuntimeException | Error failed) {
            Accounts.notTold(failed, introduction, mailbox::deliver);
        }
    }

    private void login() throws AcmeException, AttemptException, IOException {
        Session session = new Authority(settings, introduction, clock).session();
        try {
            var _ = Accounts.login(session, settings, state, introduction, mailbox::deliver);
        } finally {
            session.getHttpClient().shutdownNow();
        }
    }

    private Reply attempt(int number, Cancellation cancellation) {
        Authority authority = new Authority(settings, cancellation, clock);
        Session session = authority.session();
        try {
            return new Reply.Obtained(number, new Attempt(settings, state, board, cancellation, clock, mailbox::deliver)
                    .run(session, authority));
        } catch (CancelledException told) {
            return new Reply.Cancelled(number);
        } catch (IOException notKept) {
            return new Reply.Failed(number, Reason.STORAGE_FAILURE, String.valueOf(notKept.getMessage()),
                    Optional.empty());
        } catch (AttemptException | AcmeException | RuntimeException | Error failed) {
            // Whoever waits for the answer would wait for ever; the next attempt may have what this one lacked.
            return failed(number, Trouble.of(failed, authority.retryAfter()), cancellation);
        } finally {
            session.getHttpClient().shutdownNow();
        }
    }

    /// A request that ends because of a cancellation fails like any other; the cause is ours.
    private static Reply failed(int number, AttemptException failed, Cancellation cancellation) {
        return cancellation.isCancelled()
                ? new Reply.Cancelled(number)
                : new Reply.Failed(number, failed.reason(), failed.detail(), failed.retryAfter());
    }

    /// Something to write that may fail.
    private interface Writing {
        void run() throws IOException;
    }

    private void write(Writing writing) {
        thread.execute(() -> {
            try {
                writing.run();
            } catch (IOException failed) {
                mailbox.deliver(new Reply.NotKept(String.valueOf(failed.getMessage())));
            }
        });
    }
}
