package io.servery.admin;

import io.servery.admin.AdminAnswer.Field;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.RequestFields;
import io.servery.http.semantics.Status;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Answers liveness, readiness and metrics, read-only.
///
/// A request is judged in this order: where it comes from (browsers are refused), who sent it (the token), what it asks
/// for (path, then method). So nobody without the token learns which paths there are.
///
/// *Owner*: any thread. The health supplier is called on the caller's and must not block; the report supplier is called
/// by [MetricsRendering#answer()].
public final class AdminService {
    private static final String BEARER = "bearer ";

    private final AdminOptions options;
    private final Supplier<Health> health;
    private final Supplier<? extends MetricsGathering> reports;

    public AdminService(AdminOptions options, Supplier<Health> health, Supplier<? extends MetricsGathering> reports) {
        this.options = options;
        this.health = health;
        this.reports = reports;
    }

    /// What the request comes to. The path is decoded and without a query.
    public AdminOutcome decide(String method, String path, RequestFields fields) {
        if (fromBrowser(fields)) {
            return AdminAnswer.text(Status.FORBIDDEN, "browsers are not answered here; use curl or a scraper\n");
        }
        if (!options.hosts().accepts(fields.value(FieldName.HOST))) {
            return AdminAnswer.text(Status.FORBIDDEN, "the Host is not a name of this listener; use its address\n");
        }
        AdminToken token = options.token();
        if (token != null && !presents(token, fields)) {
            return unauthorized(fields);
        }
        return route(method, path, fields);
    }

    private AdminOutcome route(String method, String path, RequestFields fields) {
        boolean live = path.equals(options.livePath());
        boolean ready = path.equals(options.readyPath());
        if (!live && !ready && !path.equals(options.metricsPath())) {
            return AdminAnswer.text(Status.NOT_FOUND, "not found\n");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return AdminAnswer.text(Status.METHOD_NOT_ALLOWED, "only GET and HEAD\n", new Field("Allow", "GET, HEAD"));
        }
        if (live || ready) {
            Health now = health.get();
            return healthAnswer(live ? now.live() : now.ready(), now.reasons());
        }
        return new MetricsRendering(ExpositionFormat.accepted(fields.values(FieldName.ACCEPT)), reports);
    }

    private static AdminAnswer healthAnswer(boolean well, List<String> reasons) {
        return well
                ? AdminAnswer.text(Status.OK, "ok\n")
                : AdminAnswer.text(Status.SERVICE_UNAVAILABLE, String.join("\n", reasons) + "\n");
    }

    /// Whether a browser sent this, or something that says so: any `Origin` and any `Sec-Fetch-Site`, also `none` and
    /// `same-origin`, because nothing here is meant for a page or for an address bar.
    private static boolean fromBrowser(RequestFields fields) {
        return fields.count(FieldName.ORIGIN) > 0 || fields.count(FieldName.SEC_FETCH_SITE) > 0;
    }

    /// RFC 6750 §2.1; the name of the scheme in any case (RFC 9110 §11.1).
    private static boolean presents(AdminToken token, RequestFields fields) {
        String credentials = fields.value(FieldName.AUTHORIZATION);
        if (credentials == null || fields.count(FieldName.AUTHORIZATION) != 1
                || !credentials.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return false;
        }
        return token.matches(credentials.substring(BEARER.length()).strip());
    }

    /// RFC 6750 §3: no error code for a request that presented nothing.
    private static AdminAnswer unauthorized(RequestFields fields) {
        String challenge = fields.count(FieldName.AUTHORIZATION) == 0
                ? "Bearer realm=\"servery admin\""
                : "Bearer realm=\"servery admin\", error=\"invalid_token\"";
        return AdminAnswer.text(401, "a bearer token is needed\n", new Field("WWW-Authenticate", challenge));
    }
}
