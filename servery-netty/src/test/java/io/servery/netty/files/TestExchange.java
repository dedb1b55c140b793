package io.servery.netty.files;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// An exchange without a connection: it emits its answer and keeps it.
class TestExchange extends Exchange {
    private static final RefusalPages PAGES = new RefusalPages(true);

    private final EventExecutor executor;
    private final RequestHead head;
    private final TargetPath.Accepted path;
    private final CompletableFuture<Emitted> answer = new CompletableFuture<>();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean cancelled;
    private volatile Refusal refusal;
    private volatile ResponsePlan plan;

    TestExchange(EventExecutor executor, RequestHead head) {
        this.executor = executor;
        this.head = head;
        String target = head.target();
        int query = target.indexOf('?');
        this.path = (TargetPath.Accepted) TargetPath.resolve(query < 0 ? target : target.substring(0, query));
    }

    Emitted answer() throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    boolean answered() {
        return answer.isDone();
    }

    Refusal refusal() {
        return refusal;
    }

    ResponsePlan plan() {
        return plan;
    }

    void cancel() {
        cancelled = true;
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
        return InetSocketAddress.createUnresolved("peer", 1);
    }

    @Override
    public EventExecutor executor() {
        return executor;
    }

    @Override
    public RefusalPages refusalPages() {
        return PAGES;
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public void respond(ResponsePlan response) {
        if (!executor.inEventLoop() || answers.incrementAndGet() != 1) {
            answer.completeExceptionally(new AssertionError("answered twice, or off the loop"));
            return;
        }
        this.plan = response;
        try {
            answer.complete(Emitted.of(response, head.method() != Method.HEAD));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public void refuse(Refusal row, ResponsePlan response) {
        this.refusal = row;
        respond(response);
    }

    @Override
    public void receive(BodyReceiver receiver) {
        throw new AssertionError("files read no request content");
    }
}
