package io.servery.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.TargetPath;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The admin service on exchanges: what is answered on the loop, what is made elsewhere.
class AdminHandlerTest {
    private final EventExecutor loop = new DefaultEventExecutor();
    private final Deque<Runnable> lane = new ArrayDeque<>();

    @AfterEach
    void stop() throws InterruptedException {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    @Test
    void healthIsAnsweredAtOnce() {
        RecordedExchange exchange = new RecordedExchange("GET", "/livez");
        handler(Reports::ofNewWorker, lane::add).handle(exchange);

        assertThat(exchange.plan).isCompletedWithValueMatching(plan -> plan.head().status() == 200);
        assertThat(exchange.plan.join()).isInstanceOfSatisfying(ResponsePlan.Bytes.class,
                plan -> assertThat(new String(plan.content(), US_ASCII)).isEqualTo("ok\n"));
        assertThat(exchange.refusal).isNull();
        assertThat(lane).isEmpty();
    }

    @Test
    void metricsAreMadeByTheExecutorAndDeliveredToTheLoop() throws Exception {
        RecordedExchange exchange = new RecordedExchange("GET", "/metrics");
        handler(Reports::ofNewWorker, lane::add).handle(exchange);

        assertThat(exchange.plan).isNotDone();
        lane.remove().run();

        ResponsePlan plan = exchange.plan.get(10, TimeUnit.SECONDS);
        assertThat(exchange.answeredOnLoop).isTrue();
        assertThat(plan.head().value("Content-Type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        Exposition.parsePrometheus(((ResponsePlan.Bytes) plan).content());
    }

    @Test
    void fullExecutorIsAnsweredWithQueueFull() {
        RecordedExchange exchange = new RecordedExchange("GET", "/metrics");
        handler(Reports::ofNewWorker, _ -> {
            throw new RejectedExecutionException("full");
        }).handle(exchange);

        assertThat(exchange.refusal).isEqualTo(Refusal.QUEUE_FULL);
        assertThat(exchange.plan.join().head().status()).isEqualTo(503);
    }

    @Test
    void bugInASupplierAnswersInternalErrorAndShowsInTheExecutor() throws Exception {
        RecordedExchange exchange = new RecordedExchange("GET", "/metrics");
        handler(() -> {
            throw new IllegalStateException("a bug");
        }, lane::add).handle(exchange);

        assertThatIllegalStateException().isThrownBy(() -> lane.remove().run()).withMessage("a bug");
        assertThat(exchange.plan.get(10, TimeUnit.SECONDS).head().status()).isEqualTo(500);
        assertThat(exchange.refusal).isEqualTo(Refusal.INTERNAL_ERROR);
    }

    /// A failed scrape for Prometheus, and no bug.
    @Test
    void partThatDoesNotAnswerInTimeIsNamedIn503() throws Exception {
        RecordedExchange exchange = new RecordedExchange("GET", "/metrics");
        handler(() -> new MetricsGathering.Late("parent: late"), lane::add).handle(exchange);
        lane.remove().run();

        ResponsePlan plan = exchange.plan.get(10, TimeUnit.SECONDS);
        assertThat(plan.head().status()).isEqualTo(503);
        assertThat(plan.head().value("Retry-After")).isEqualTo("1");
        assertThat(plan.head().value("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(((ResponsePlan.Bytes) plan).content()).asString(US_ASCII).isEqualTo("parent: late\n");
    }

    @Test
    void refusalsOfTheTableAreCountedUnderTheirRow() {
        assertRefused("GET", "/nothing", Refusal.NOT_FOUND);
        assertRefused("PUT", "/livez", Refusal.METHOD_NOT_ALLOWED);
        assertRefused("GET", "/livez", Refusal.FORBIDDEN, "Origin", "null");
    }

    private void assertRefused(String method, String path, Refusal row, String... field) {
        RecordedExchange exchange = new RecordedExchange(method, path, field);
        handler(Reports::ofNewWorker, lane::add).handle(exchange);

        assertThat(exchange.refusal).isEqualTo(row);
        assertThat(exchange.plan.join().head().status()).isEqualTo(row.status());
        assertThat(exchange.plan.join().head().value("Cache-Control")).isEqualTo("no-store");
    }

    private static AdminHandler handler(Supplier<? extends MetricsGathering> reports, Executor executor) {
        AdminOptions options = AdminOptions.standard(HostPolicy.unixSocket(), null);
        return new AdminHandler(new AdminService(options, Health::readyNow, reports), executor);
    }

    /// An exchange that keeps its answer.
    private final class RecordedExchange extends Exchange {
        private final RequestHead head = new RequestHead();
        private final TargetPath.Accepted path;
        private final CompletableFuture<ResponsePlan> plan = new CompletableFuture<>();
        private volatile Refusal refusal;
        private volatile boolean answeredOnLoop;

        RecordedExchange(String method, String path, String... field) {
            this.path = (TargetPath.Accepted) TargetPath.resolve(path);
            head.recordRequestLine(Method.of(method), 0, 0, 0);
            if (field.length == 2) {
                byte[] line = (field[0] + field[1]).getBytes(US_ASCII);
                System.arraycopy(line, 0, head.bytesWithRoomFor(line.length), 0, line.length);
                head.length(line.length);
                head.recordField(0, field[0].length(), field[0].length(), field[1].length());
            }
        }

        @Override
        public RequestHead head() {
            return head;
        }

        @Override
        public TargetPath.Accepted path() {
            return path;
        }

        @Override
        public Transport transport() {
            return Transport.H1;
        }

        @Override
        public SocketAddress peer() {
            return InetSocketAddress.createUnresolved("127.0.0.1", 1);
        }

        @Override
        public EventExecutor executor() {
            return loop;
        }

        @Override
        public RefusalPages refusalPages() {
            return new RefusalPages(false);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void respond(ResponsePlan answer) {
            answeredOnLoop = loop.inEventLoop();
            plan.complete(answer);
        }

        @Override
        public void refuse(Refusal row, ResponsePlan answer) {
            refusal = row;
            respond(answer);
        }

        @Override
        public void receive(BodyReceiver receiver) {
            throw new IllegalStateException("the admin listener reads no content");
        }
    }
}
