package io.servery.http.semantics;

/// A content coding that this server can answer with (RFC 9110 §8.4.1, RFC 7932, RFC 8878), in the order in which it
/// chooses between codings that a client likes equally. No coding at all is not one of them.
public enum ContentCoding {
    ZSTD("zstd"),
    BR("br"),
    GZIP("gzip");

    private static final ContentCoding[] ALL = values();

    private final String token;

    ContentCoding(String token) {
        this.token = token;
    }

    /// The name as Content-Encoding carries it.
    public String token() {
        return token;
    }

    /// How many codings there are: one more than the greatest ordinal.
    public static int total() {
        return ALL.length;
    }

    /// The coding with this ordinal.
    public static ContentCoding at(int ordinal) {
        return ALL[ordinal];
    }
}
