package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the first bytes of a client are (RFC 8446 §4.1.2 and §5.1), for clarity and not for speed.
enum ReferenceHello {
    /// Nothing of it matters here, or there is not enough of it.
    OTHER,
    /// A whole ClientHello that offers protocols, and http/1.1 is none of them; nor is it one of a certificate authority that
    /// names a host.
    FOREIGN_PROTOCOLS,
    /// A whole ClientHello of a certificate authority (RFC 8737 §3) that names another host than that of the challenge.
    UNKNOWN_NAME,
    /// Its header says that it is longer than it may be.
    TOO_LONG;

    /// The host of the one challenge.
    static final String CHALLENGE = "challenge.example";

    private static final int SERVER_NAME = 0;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int PROTOCOL_NAMES = 16;

    static ReferenceHello of(byte[] sent, int bytesMax) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataInputStream records = new DataInputStream(new ByteArrayInputStream(sent));
        try {
            while (true) {
                int type = records.readUnsignedByte();
                int version = records.readUnsignedShort();
                byte[] content = exactly(records, records.readUnsignedShort());
                if (type != HANDSHAKE || version >> 8 != 3 || content.length == 0) {
                    return OTHER;
                }
                message.writeBytes(content);
                byte[] so = message.toByteArray();
                if (so.length >= 4) {
                    int length = (so[1] & 0xff) << 16 | (so[2] & 0xff) << 8 | so[3] & 0xff;
                    if (so[0] != CLIENT_HELLO) {
                        return OTHER;
                    }
                    if (length > bytesMax) {
                        return TOO_LONG;
                    }
                    if (so.length - 4 >= length) {
                        return ofBody(new DataInputStream(new ByteArrayInputStream(so, 4, length)));
                    }
                }
            }
        } catch (IOException incomplete) {
            return OTHER;
        }
    }

    private static ReferenceHello ofBody(DataInputStream body) throws IOException {
        exactly(body, 34);
        exactly(body, body.readUnsignedByte());
        exactly(body, body.readUnsignedShort());
        exactly(body, body.readUnsignedByte());
        byte[] all = exactly(body, body.readUnsignedShort());
        if (body.read() >= 0) {
            return OTHER;
        }
        List<String> protocols = null;
        String host = null;
        DataInputStream extensions = new DataInputStream(new ByteArrayInputStream(all));
        while (extensions.available() > 0) {
            int type = extensions.readUnsignedShort();
            byte[] value = exactly(extensions, extensions.readUnsignedShort());
            if (type == PROTOCOL_NAMES) {
                protocols = names(value);
            } else if (type == SERVER_NAME) {
                host = host(value);
            }
        }
        if (protocols == null || protocols.isEmpty() || protocols.contains("") || protocols.contains("http/1.1")) {
            return OTHER;
        }
        if (!protocols.equals(List.of("acme-tls/1")) || host == null) {
            return FOREIGN_PROTOCOLS;
        }
        return host.toLowerCase(Locale.ROOT).matches("challenge[.]example[.]?") ? OTHER : UNKNOWN_NAME;
    }

    /// The one host name of a list that has nothing else; null when it is none (RFC 6066 §3).
    private static String host(byte[] value) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
        try {
            DataInputStream list = new DataInputStream(
                    new ByteArrayInputStream(exactly(in, in.readUnsignedShort())));
            int type = list.readUnsignedByte();
            String name = new String(exactly(list, list.readUnsignedShort()), ISO_8859_1);
            boolean sound = type == 0 && list.available() == 0 && in.available() == 0 && !name.isEmpty()
                    && name.length() <= 255;
            return sound ? name : null;
        } catch (IOException malformed) {
            return null;
        }
    }

    /// The names of the list; null when it is none.
    private static List<String> names(byte[] value) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
        List<String> names = new ArrayList<>();
        try {
            DataInputStream list = new DataInputStream(
                    new ByteArrayInputStream(exactly(in, in.readUnsignedShort())));
            while (list.available() > 0) {
                names.add(new String(exactly(list, list.readUnsignedByte()), ISO_8859_1));
            }
            return in.available() > 0 ? null : names;
        } catch (IOException malformed) {
            return null;
        }
    }

    private static byte[] exactly(DataInputStream in, int count) throws IOException {
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }
}
