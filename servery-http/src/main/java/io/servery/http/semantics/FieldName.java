package io.servery.http.semantics;

import java.util.Locale;

/// The request fields that this server reads: their ordinals index the table that a parsed head keeps, so that no
/// field is searched for by name.
public enum FieldName {
    ACCEPT("Accept"),
    ACCEPT_ENCODING("Accept-Encoding"),
    AUTHORIZATION("Authorization"),
    CONNECTION(
            "Connection"),
    CONTENT_ENCODING("Content-Encoding"),
    CONTENT_LENGTH("Content-Length"),
    CONTENT_TYPE(
            "Content-Type"),
    EXPECT("Expect"),
    HOST("Host"),
    IF_MATCH("If-Match"),
    IF_MODIFIED_SINCE(
            "If-Modified-Since"),
    IF_NONE_MATCH("If-None-Match"),
    IF_RANGE(
            "If-Range"),
    IF_UNMODIFIED_SINCE("If-Unmodified-Since"),
    ORIGIN("Origin"),
    RANGE(
            "Range"),
    REFERER("Referer"),
    SEC_FETCH_SITE(
            "Sec-Fetch-Site"),
    SEC_WEBSOCKET_KEY1(
            "Sec-WebSocket-Key1"),
    SEC_WEBSOCKET_KEY2(
            "Sec-WebSocket-Key2"),
    TRAILER(
            "Trailer"),
    TRANSFER_ENCODING(
            "Transfer-Encoding"),
    UPGRADE(
            "Upgrade"),
    USER_AGENT(
            "User-Agent"),
    WANT_CONTENT_DIGEST("Want-Content-Digest"),
    WANT_REPR_DIGEST("Want-Repr-Digest");

    private static final FieldName[] ALL = values();

    private final String canonical;
    private final String lowerCase;

    FieldName(String canonical) {
        this.canonical = canonical;
        this.lowerCase = canonical.toLowerCase(Locale.ROOT);
    }

    /// The name as RFC 9110 writes it.
    public String canonical() {
        return canonical;
    }

    /// The name in lower case, as HTTP/2 and HTTP/3 carry it.
    public String lowerCase() {
        return lowerCase;
    }

    /// How many names there are: one more than the greatest ordinal.
    public static int total() {
        return ALL.length;
    }

    /// The name with this ordinal.
    public static FieldName at(int ordinal) {
        return ALL[ordinal];
    }
}
