package io.servery.http.semantics;

/// Octets of a representation, from the first to the last, both included (RFC 9110 §14.1.2).
///
/// *Invariant*: `0 <= first <= last`.
public record ByteRange(long first, long last) {
    public ByteRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("no range reaches from " + first + " to " + last);
        }
    }

    public long length() {
        return last - first + 1;
    }

    /// The value of Content-Range for this part of a representation of that size (RFC 9110 §14.4).
    public String contentRange(long size) {
        return "bytes " + first + '-' + last + '/' + size;
    }
}
