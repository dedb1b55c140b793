package io.servery.http.http1;

import io.netty.util.concurrent.EventExecutor;
import io.servery.core.metric.MethodClass;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Authority;
import io.servery.http.semantics.ConnectionOptions;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.FieldSyntax;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.RequestTarget;
import io.servery.http.semantics.TargetPath;
import io.servery.http.tls.TlsConnection;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One request and its answer on an HTTP/1 connection: the decoders' state while it arrives, then what is known of it.
///
/// *Owner:* the event loop. *Invariant:* reused for another request only if the handler answered before it returned: of any
/// other a late `deliver` may still come, and must never reach another peer's request.
final class Http1Exchange extends Exchange {
    private static final TargetPath.Accepted NO_PATH = new TargetPath.Accepted("/", true, false);

    final HeadDecoder decoder = new HeadDecoder();
    final MessageFraming framing = new MessageFraming();
    final BodyDecoder body = new BodyDecoder();

    private @Nullable Http1Connection connection;
    private TargetPath.Accepted path = NO_PATH;
    @Nullable
    BodyReceiver receiver;
    long startNanos;
    boolean keepAlive;
    boolean expectsContinue;
    boolean started;
    boolean responded;
    boolean closing;
    boolean completed;
    boolean cancelled;
    /// Whether the handler returned without an answer, so that others may refer to this.
    boolean kept;
    int status;
    @Nullable
    Reason reason;

    void begin(Http1Connection connection) {
        this.connection = connection;
        workClass(WorkClass.STATIC_SMALL);
    }

    void reset() {
        decoder.reset();
        body.reset();
        connection = null;
        path = NO_PATH;
        receiver = null;
        startNanos = 0;
        keepAlive = false;
        expectsContinue = false;
        started = false;
        responded = false;
        closing = false;
        completed = false;
        cancelled = false;
        kept = false;
        status = 0;
        reason = null;
    }

    /// Judges the complete head as a whole: who it is for, how its content ends, what it names, what it expects. Null when
    /// it is sound; the first refusal in that order otherwise.
    @Nullable
    Refusal judge(Http1Limits limits) {
        RequestHead head = decoder.head();
        keepAlive = keepsAlive(head);
        RequestTarget.Absolute absolute = null;
        if (!originForm(head)) {
            RequestTarget target = RequestTarget.parse(head.target(), head.method());
            if (target instanceof RequestTarget.Invalid) {
                return Refusal.MALFORMED_TARGET;
            }
            absolute = target instanceof RequestTarget.Absolute form ? form : null;
        }
        Refusal refusal = judgeHost(head, absolute);
        if (refusal == null) {
            refusal = framing.judge(head, limits.bodyBytesMax());
        }
        if (refusal == null) {
            refusal = judgePath(head, absolute);
        }
        TlsConnection tls = connection().tls();
        if (refusal == null && absolute != null) {
            refusal = judgeScheme(absolute, tls != null);
        }
        if (refusal == null
                && head.count(FieldName.SEC_WEBSOCKET_KEY1) + head.count(FieldName.SEC_WEBSOCKET_KEY2) > 0) {
            refusal = Refusal.LEGACY_WEBSOCKET;
        }
        if (refusal == null) {
            body.begin(framing, limits.bodyBytesMax());
            refusal = judgeExpectation(head);
        }
        if (refusal == null && tls != null && !isFor(tls, head, absolute)
                && !connection().service().ofAnyHost().test(this)) {
            refusal = Refusal.MISDIRECTED;
        }
        return refusal;
    }

    /// RFC 9110 §7.4: a target of one scheme does not come over a connection of the other.
    private static @Nullable Refusal judgeScheme(RequestTarget.Absolute absolute, boolean secure) {
        if (absolute.scheme().equals("https") == secure) {
            return null;
        }
        return secure ? Refusal.PLAIN_TARGET : Refusal.SECURE_TARGET;
    }

    /// Whether the certificate that the peer was shown stands for whom it asks.
    private static boolean isFor(TlsConnection tls, RequestHead head, RequestTarget.@Nullable Absolute absolute) {
        return absolute != null && head.count(FieldName.HOST) == 0
                ? tls.isFor(absolute.authority())
                : tls.isFor(head);
    }

    private static boolean originForm(RequestHead head) {
        return head.bytes()[head.targetStart()] == '/' && head.method() != Method.CONNECT;
    }

    /// RFC 9112 §9.3.
    private static boolean keepsAlive(RequestHead head) {
        int connections = head.count(FieldName.CONNECTION);
        if (connections == 0) {
            return head.version() == HttpVersion.HTTP_1_1;
        }
        if (connections == 1 && head.valueIs(FieldName.CONNECTION, "keep-alive")) {
            return true;
        }
        ConnectionOptions options = FieldSyntax.connectionOptions(head);
        return !options.close() && !options.malformed()
                && (head.version() == HttpVersion.HTTP_1_1 || options.keepAlive());
    }

    private @Nullable Refusal judgeHost(RequestHead head, RequestTarget.@Nullable Absolute target) {
        int hosts = head.count(FieldName.HOST);
        if (hosts == 0) {
            return head.version() == HttpVersion.HTTP_1_1 ? Refusal.MISSING_HOST : null;
        }
        if (hosts > 1) {
            return Refusal.REPEATED_HOST;
        }
        if (target == null && connection().loop().isSoundHost(head)) {
            return null;
        }
        String value = head.value(FieldName.HOST);
        if (value == null || !Authority.isValid(value)) {
            return Refusal.MALFORMED_HOST;
        }
        connection().loop().soundHost(value);
        if (target == null) {
            return null;
        }
        Authority host = Authority.parse(value);
        return host != null && Authority.equivalent(target.authority(), host, target.scheme())
                ? null
                : Refusal.HOST_MISMATCH;
    }

    private @Nullable Refusal judgePath(RequestHead head, RequestTarget.@Nullable Absolute absolute) {
        TargetPath.Result judged = absolute != null
                ? TargetPath.resolve(absolute.path())
                : originForm(head) ? resolveRaw(head) : NO_PATH;
        return switch (judged) {
            case TargetPath.Accepted accepted -> {
                path = accepted;
                yield null;
            }
            case TargetPath.Rejected _ -> Refusal.MALFORMED_TARGET;
        };
    }

    private TargetPath.Result resolveRaw(RequestHead head) {
        byte[] bytes = head.bytes();
        int start = head.targetStart();
        int end = start + head.targetLength();
        int pathEnd = start;
        while (pathEnd < end && bytes[pathEnd] != '?') {
            pathEnd++;
        }
        return connection().loop().paths().resolve(bytes, start, pathEnd);
    }

    /// RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
    private @Nullable Refusal judgeExpectation(RequestHead head) {
        if (head.count(FieldName.EXPECT) == 0 || head.version() == HttpVersion.HTTP_1_0) {
            return null;
        }
        for (String value : head.values(FieldName.EXPECT)) {
            if (!value.equalsIgnoreCase("100-continue")) {
                return Refusal.EXPECTATION_FAILED;
            }
        }
        expectsContinue = !body.done();
        return null;
    }

    MethodClass methodClass() {
        Method method = decoder.head().method();
        if (method.safe()) {
            return MethodClass.SAFE;
        }
        return method == Method.UNKNOWN || method == Method.CONNECT ? MethodClass.OTHER : MethodClass.WRITE;
    }

    private Http1Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("this exchange has ended");
        }
        return connection;
    }

    @Override
    public RequestHead head() {
        return decoder.head();
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
    public boolean secure() {
        return connection().tls() != null;
    }

    @Override
    public SocketAddress peer() {
        return connection().peer();
    }

    @Override
    public EventExecutor executor() {
        return connection().executor();
    }

    @Override
    public RefusalPages refusalPages() {
        return connection().service().refusalPages();
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public void respond(ResponsePlan plan) {
        if (cancelled) {
            plan.release();
            return;
        }
        connection().answers().answer(this, plan);
    }

    @Override
    public void refuse(Refusal refusal, ResponsePlan plan) {
        if (cancelled) {
            plan.release();
            return;
        }
        connection().answers().refuse(this, refusal, plan);
    }

    @Override
    public void receive(BodyReceiver bodyReceiver) {
        if (cancelled) {
            bodyReceiver.aborted();
            return;
        }
        connection().receive(this, bodyReceiver);
    }
}
