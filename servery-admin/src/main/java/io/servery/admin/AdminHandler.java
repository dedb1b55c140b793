package io.servery.admin;

import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// The admin service as a handler of exchanges: what takes long is made by an executor and delivered to the event loop.
public final class AdminHandler implements Handler {
    private final AdminService service;
    private final Executor rendering;

    /// @param rendering bounded, and not an event loop; what it rejects is answered with 503
    public AdminHandler(AdminService service, Executor rendering) {
        this.service = service;
        this.rendering = rendering;
    }

    @Override
    public void handle(Exchange exchange) {
        String method = exchange.head().methodToken();
        switch (service.decide(method, exchange.path().decoded(), exchange.head())) {
            case AdminAnswer answer -> answer(exchange, answer);
            case MetricsRendering metrics -> render(exchange, metrics);
        }
    }

    /// A refusal that has its row in the table is counted under that row's reason.
    private static void answer(Exchange exchange, AdminAnswer answer) {
        ResponsePlan plan = plan(answer);
        switch (answer.status()) {
            case Status.FORBIDDEN -> exchange.refuse(Refusal.FORBIDDEN, plan);
            case Status.NOT_FOUND -> exchange.refuse(Refusal.NOT_FOUND, plan);
            case Status.METHOD_NOT_ALLOWED -> exchange.refuse(Refusal.METHOD_NOT_ALLOWED, plan);
            default -> exchange.respond(plan);
        }
    }

    private void render(Exchange exchange, MetricsRendering metrics) {
        try {
            rendering.execute(() -> deliver(exchange, metrics));
        } catch (RejectedExecutionException _) {
            exchange.refuse(Refusal.QUEUE_FULL);
        }
    }

    /// A bug in a supplier answers 500 and then shows as one in the executor.
    private static void deliver(Exchange exchange, MetricsRendering metrics) {
        ResponsePlan plan;
        try {
            plan = plan(metrics.answer());
        } catch (RuntimeException bug) {
            exchange.deliver(Refusal.INTERNAL_ERROR);
            throw bug;
        }
        exchange.deliver(plan);
    }

    private static ResponsePlan plan(AdminAnswer answer) {
        ResponseHead.Builder head = ResponseHead.status(answer.status());
        answer.fields().forEach(field -> head.with(field.name(), field.value()));
        return new ResponsePlan.Bytes(head.length(answer.content().length), answer.content());
    }
}
