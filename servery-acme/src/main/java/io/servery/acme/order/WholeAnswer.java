package io.servery.acme.order;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/// An answer whose content has come as a whole, for acme4j, which reads a stream.
record WholeAnswer(HttpResponse<byte[]> answer) implements HttpResponse<InputStream> {

    @Override
    public int statusCode() {
        return answer.statusCode();
    }

    @Override
    public HttpRequest request() {
        return answer.request();
    }

    @Override
    public Optional<HttpResponse<InputStream>> previousResponse() {
        return answer.previousResponse().map(WholeAnswer::new);
    }

    @Override
    public HttpHeaders headers() {
        return answer.headers();
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(answer.body() == null ? new byte[0] : answer.body());
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return answer.sslSession();
    }

    @Override
    public URI uri() {
        return answer.uri();
    }

    @Override
    public HttpClient.Version version() {
        return answer.version();
    }
}
