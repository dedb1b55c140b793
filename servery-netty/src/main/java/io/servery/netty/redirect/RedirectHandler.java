package io.servery.netty.redirect;

import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Authority;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.RequestTarget;
import io.servery.http.semantics.Status;
import org.jspecify.annotations.Nullable;

/// Answers every request with the same address under https, and the content is not waited for.
///
/// GET and HEAD get 301 (RFC 9110 §15.4.2), which every client knows, and which browsers keep; any other method gets 308
/// (§15.4.9), as 301 lets a client turn POST into GET. Where the port is a guess they get 302 (§15.4.3) and 307 (§15.4.8), which
/// nobody keeps without being told to (§15.1): a wrong guess ends when it is mended here. The host is the one that the request names, judged as everywhere; path
/// and query are repeated as they came. The location is a whole URI, so that no path can be read as another host. A request
/// of HTTP/1.0 that names no host can be sent nowhere, and is refused.
public final class RedirectHandler implements Handler {
    private static final String SCHEME = "https";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final int port;
    private final int ownPort;

    /// @param port where HTTPS is served
    /// @param ownPort where redirects are
    public RedirectHandler(int port, int ownPort) {
        this.port = port;
        this.ownPort = ownPort;
    }

    @Override
    public void handle(Exchange exchange) {
        RequestHead head = exchange.head();
        RequestTarget target = RequestTarget.parse(head.target(), head.method());
        Authority asked = authority(head, target);
        if (asked == null) {
            exchange.refuse(Refusal.MISSING_HOST);
            return;
        }
        boolean guessed = port != HTTPS_PORT && isMapped(asked);
        Authority secure = new Authority(asked.host(),
                port == HTTPS_PORT || guessed ? Authority.NO_PORT : port);
        exchange.respond(new ResponsePlan.Empty(
                ResponseHead.status(status(head.method(), guessed))
                        .with("Location", SCHEME + "://" + secure + path(target)).length(0)));
    }

    private static int status(Method method, boolean guessed) {
        if (method == Method.GET || method == Method.HEAD) {
            return guessed ? Status.FOUND : Status.MOVED_PERMANENTLY;
        }
        return guessed ? Status.TEMPORARY_REDIRECT : Status.PERMANENT_REDIRECT;
    }

    /// A client that came to port 80 while redirects are at another came through a mapping of ports. Whoever maps the one maps the
    /// other: HTTPS is at its own port out there.
    private boolean isMapped(Authority asked) {
        return ownPort != HTTP_PORT && (asked.port() == Authority.NO_PORT || asked.port() == HTTP_PORT);
    }

    /// That of the target goes before that of Host (RFC 9112 §3.2.2); where both are there they mean the same.
    private static @Nullable Authority authority(RequestHead head, RequestTarget target) {
        if (target instanceof RequestTarget.Absolute absolute) {
            return absolute.authority();
        }
        String host = head.value(FieldName.HOST);
        return host == null ? null : Authority.parse(host);
    }

    /// What follows the authority of the URI that the target stands for (RFC 9112 §3.3); nothing for the server as a whole.
    private static String path(RequestTarget target) {
        return switch (target) {
            case RequestTarget.Origin(String path, String query) -> whole(path, query);
            case RequestTarget.Absolute(_, _, String path, String query) -> whole(path, query);
            case RequestTarget.Asterisk _ -> "";
            case RequestTarget.AuthorityForm _,RequestTarget.Invalid _ ->
                throw new IllegalStateException("no such target gets to a handler");
        };
    }

    private static String whole(String path, @Nullable String query) {
        return query == null ? path : path + '?' + query;
    }
}
