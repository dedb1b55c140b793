package io.servery.netty.files;

import io.netty.util.concurrent.EventExecutor;
import io.servery.http.exchange.ResponsePlan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The exchange of a peer that reads nothing yet: it keeps its answer until it is told.
final class HeldExchange extends TestExchange {
    private final CompletableFuture<ResponsePlan> plan = new CompletableFuture<>();
    private boolean ended;

    HeldExchange(EventExecutor loop, String target, String... fields) {
        super(loop, TestRequest.head("GET", target, fields));
    }

    @Override
    public void respond(ResponsePlan response) {
        plan.complete(response);
    }

    @Override
    boolean answered() {
        return plan.isDone();
    }

    ResponsePlan given() throws Exception {
        return plan.get(20, TimeUnit.SECONDS);
    }

    boolean coded() throws Exception {
        return given().head().value("Content-Encoding") != null;
    }

    /// The peer takes all of it.
    Emitted read() throws Exception {
        ended = true;
        return Emitted.of(given(), true);
    }

    /// The peer is gone.
    void end() {
        if (plan.isDone() && !ended) {
            ended = true;
            plan.join().release();
        }
    }
}
