package io.servery.core.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;

/// The URL at which an authority begins (RFC 8555 §7.1.1), or a word for one that everybody knows.
record AcmeDirectory() implements ValueType<URI> {
    private static final Map<String, URI> KNOWN = Map.of(
            "staging", URI.create("https://acme-staging-v02.api.letsencrypt.org/directory"),
            "production", URI.create("https://acme-v02.api.letsencrypt.org/directory"));
    private static final int CHARACTERS_MAX = 1_024;

    @Override
    public Optional<URI> read(Raw raw, Reading reading) {
        if (!(raw instanceof Raw.Scalar(String word, _))) {
            return reading.refuse(raw, description());
        }
        URI known = KNOWN.get(word);
        return known != null ? Optional.of(known) : url(word).or(() -> reading.refuse(raw, description()));
    }

    private static Optional<URI> url(String text) {
        try {
            URI url = new URI(text);
            return text.length() <= CHARACTERS_MAX && url.getHost() != null && url.getUserInfo() == null
                    && url.getFragment() == null && isSafe(url) ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /// RFC 8555 §6.1 wants https. What does not leave this host needs none.
    private static boolean isSafe(URI url) {
        return "https".equals(url.getScheme()) || "http".equals(url.getScheme()) && isLoopback(url.getHost());
    }

    private static boolean isLoopback(String host) {
        return Forms.isLoopback(host.replaceAll("[\\[\\]]", ""));
    }

    @Override
    public String write(URI value) {
        return KNOWN.entrySet().stream().filter(known -> known.getValue().equals(value)).map(Map.Entry::getKey)
                .findFirst().map(Words::quote).orElseGet(() -> Words.quote(value.toString()));
    }

    @Override
    public String description() {
        return "\"staging\", \"production\" or an https URL";
    }
}
