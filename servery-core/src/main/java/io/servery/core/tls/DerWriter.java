package io.servery.core.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// Elements in DER (X.690): as much of it as a key in another form and a certificate of our own need.
final class DerWriter {
    private static final int LONG_FORM = 0x80;

    private DerWriter() {
    }

    static byte[] element(int tag, byte[]... contents) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        element.write(tag);
        if (length < LONG_FORM) {
            element.write(length);
        } else {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int from = bytes[0] == 0 ? 1 : 0;
            element.write(LONG_FORM | bytes.length - from);
            element.write(bytes, from, bytes.length - from);
        }
        for (byte[] content : contents) {
            element.writeBytes(content);
        }
        return element.toByteArray();
    }

    static byte[] sequence(byte[]... contents) {
        return element(DerReader.SEQUENCE, contents);
    }

    static byte[] integer(BigInteger value) {
        return element(DerReader.INTEGER, value.toByteArray());
    }

    static byte[] octets(byte[]... contents) {
        return element(DerReader.OCTET_STRING, contents);
    }

    static byte[] text(int tag, String ascii) {
        return element(tag, ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /// An object identifier in its dotted form.
    static byte[] identifier(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        base128(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]), content);
        for (int i = 2; i < arcs.length; i++) {
            base128(Integer.parseInt(arcs[i]), content);
        }
        return element(DerReader.OBJECT_IDENTIFIER, content.toByteArray());
    }

    private static void base128(int arc, ByteArrayOutputStream to) {
        for (int shift = 28; shift > 0; shift -= 7) {
            if (arc >> shift != 0) {
                to.write(arc >> shift & 0x7f | LONG_FORM);
            }
        }
        to.write(arc & 0x7f);
    }
}
