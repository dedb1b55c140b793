package io.servery.http.semantics;

/// A request method that this server knows the meaning of (RFC 9110 §9, RFC 5789, and QUERY); any other is `UNKNOWN`.
public enum Method {
    GET(true),
    HEAD(true),
    OPTIONS(true),
    QUERY(true),
    TRACE(true),
    POST(false),
    PUT(false),
    DELETE(false),
    PATCH(false),
    CONNECT(false),
    UNKNOWN(false);

    private final boolean safe;

    Method(boolean safe) {
        this.safe = safe;
    }

    /// Whether the client asks for no change of state (RFC 9110 §9.2.1).
    public boolean safe() {
        return safe;
    }

    /// The method of that name; names are case-sensitive (RFC 9110 §9.1).
    public static Method of(String token) {
        return switch (token) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "OPTIONS" -> OPTIONS;
            case "QUERY" -> QUERY;
            case "TRACE" -> TRACE;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "PATCH" -> PATCH;
            case "CONNECT" -> CONNECT;
            default -> UNKNOWN;
        };
    }
}
