package io.servery.netty.observe;

import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.TargetPath;
import java.net.SocketAddress;

/// An exchange of which a log sees the end: a head and a peer, nothing else.
final class LoggedExchange extends Exchange {
    private final RequestHead head;
    private final SocketAddress peer;

    LoggedExchange(RequestHead head, SocketAddress peer) {
        this.head = head;
        this.peer = peer;
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public SocketAddress peer() {
        return peer;
    }

    @Override
    public TargetPath.Accepted path() {
        throw unexpected();
    }

    @Override
    public Transport transport() {
        throw unexpected();
    }

    @Override
    public EventExecutor executor() {
        throw unexpected();
    }

    @Override
    public RefusalPages refusalPages() {
        throw unexpected();
    }

    @Override
    public boolean cancelled() {
        throw unexpected();
    }

    @Override
    public void respond(ResponsePlan plan) {
        throw unexpected();
    }

    @Override
    public void refuse(Refusal refusal, ResponsePlan plan) {
        throw unexpected();
    }

    @Override
    public void receive(BodyReceiver receiver) {
        throw unexpected();
    }

    private static AssertionError unexpected() {
        return new AssertionError("a log looks at the head and the peer alone");
    }
}
