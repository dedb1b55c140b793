package io.servery.core.tls;

import java.util.Arrays;

/// The elements of a DER encoding (X.690), one after another: as much of it as tells what kind of key a file holds.
final class DerReader {
    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int SEQUENCE = 0x30;

    private static final int LENGTH_BYTES_MAX = 3;

    private final byte[] bytes;
    private int at;
    private final int end;

    private DerReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /// The elements of the one element that these bytes must be.
    static DerReader within(byte[] bytes, int tag) {
        DerReader outer = new DerReader(bytes, 0, bytes.length);
        DerReader inner = outer.within(tag);
        if (outer.hasMore()) {
            throw outer.malformed();
        }
        return inner;
    }

    /// The elements that these bytes are.
    static DerReader whole(byte[] bytes) {
        return new DerReader(bytes, 0, bytes.length);
    }

    /// The elements of the sequence that the value of an extension is, as `getExtensionValue` gives it.
    static DerReader ofExtension(byte[] encoded) {
        return within(whole(encoded).content(OCTET_STRING), SEQUENCE);
    }

    boolean hasMore() {
        return at < end;
    }

    /// Whether the next element has this tag.
    boolean is(int tag) {
        return at < end && (bytes[at] & 0xff) == tag;
    }

    /// The elements of the next element, which must have this tag.
    DerReader within(int tag) {
        int length = header(tag);
        DerReader inner = new DerReader(bytes, at, at + length);
        at += length;
        return inner;
    }

    /// The content of the next element, which must have this tag.
    byte[] content(int tag) {
        int length = header(tag);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    /// The next element as a whole.
    byte[] element() {
        int from = at;
        if (at >= end) {
            throw malformed();
        }
        int length = header(bytes[at] & 0xff);
        at += length;
        return Arrays.copyOfRange(bytes, from, at);
    }

    private int header(int tag) {
        if (!is(tag) || at + 2 > end) {
            throw malformed();
        }
        int length = bytes[at + 1] & 0xff;
        at += 2;
        if (length >= 0x80) {
            length = longLength(length & 0x7f);
        }
        if (length > end - at) {
            throw malformed();
        }
        return length;
    }

    private int longLength(int count) {
        if (count < 1 || count > LENGTH_BYTES_MAX || count > end - at || bytes[at] == 0) {
            throw malformed();
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | bytes[at++] & 0xff;
        }
        if (length < 0x80) {
            throw malformed();
        }
        return length;
    }

    private Unusable malformed() {
        return new Unusable(Unusable.NO_LINE, "a key whose encoding is malformed", "DER");
    }
}
