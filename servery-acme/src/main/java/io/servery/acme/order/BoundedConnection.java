package io.servery.acme.order;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.DefaultConnection;
import org.shredzone.acme4j.connector.HttpConnector;

/// acme4j's connection with bounds: the whole of an answer, content included, comes within the time of a request and within a
/// size. acme4j's own ends its clock with the head and reads for as long as bytes come.
final class BoundedConnection extends DefaultConnection {
    /// More than a chain of ten certificates or a list of a hundred authorizations takes.
    private static final long ANSWER_BYTES_MAX = 1 << 20;

    private final Authority authority;

    BoundedConnection(HttpConnector connector, Authority authority) {
        super(connector);
        this.authority = authority;
    }

    @Override
    protected void sendRequest(Session session, URL url, Consumer<HttpRequest.Builder> body) throws IOException {
        HttpRequest.Builder request = httpConnector.createRequestBuilder(url).header("Accept-Charset", "utf-8")
                .header("Accept-Language", session.getLanguageHeader());
        body.accept(request);
        authority.asks();
        CompletableFuture<HttpResponse<byte[]>> coming = httpClient.sendAsync(request.build(),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
        try {
            Duration limit = session.networkSettings().getTimeout();
            HttpResponse<byte[]> answer = authority.cancellation().await(coming, limit);
            authority.answered(URI.create(url.toString()), answer.statusCode(), answer.headers());
            refuseCoded(answer.headers());
            lastResponse = new WholeAnswer(answer);
        } catch (TimeoutException late) {
            coming.cancel(true);
            throw new HttpTimeoutException("found no whole answer of " + url.getAuthority() + " within "
                    + session.networkSettings().getTimeout());
        } catch (CancelledException ends) {
            coming.cancel(true);
            throw new InterruptedIOException("cancelled");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    /// None was asked for, and acme4j would unpack it, however large that is.
    private static void refuseCoded(HttpHeaders fields) throws IOException {
        Optional<String> coding = fields.allValues("Content-Encoding").stream()
                .filter(one -> !one.equalsIgnoreCase("identity")).findFirst();
        if (coding.isPresent()) {
            throw new IOException("found an answer with Content-Encoding: " + coding.get() + "; expected none");
        }
    }
}
