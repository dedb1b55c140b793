package io.servery.http.tls;

import io.netty.buffer.ByteBuf;
import io.servery.core.config.TlsVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is read of a ClientHello (RFC 8446 §4.1.2) before BoringSSL reads all of it: whom the client asks for, what it
/// wants to speak, and by which version.
///
/// One that is malformed says nothing here and is refused by BoringSSL.
///
/// @param serverName as sent; null when there is none (RFC 6066 §3)
/// @param protocols what it offers of what is spoken here (RFC 7301)
/// @param version the newest that it offers of those spoken here (RFC 8446 §4.2.1); null when it offers none
record ClientHello(@Nullable String serverName, Protocols protocols, @Nullable TlsVersion version) {
    static final ClientHello NOTHING = new ClientHello(null, Protocols.NOT_ASKED, null);

    private static final int TLS_1_2 = 0x0303;
    private static final int TLS_1_3 = 0x0304;
    private static final int RANDOM = 32;
    private static final int SERVER_NAME = 0;
    private static final int PROTOCOL_NAMES = 16;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int HOST_NAME = 0;
    private static final int NAME_MAX = 255;
    private static final byte[] VALIDATION = TlsContexts.VALIDATION_PROTOCOL.getBytes(StandardCharsets.US_ASCII);

    /// What a client's offer of protocols has in common with ours.
    enum Protocols {
        /// It offers nothing.
        NOT_ASKED,
        /// At least one is spoken here.
        COMMON,
        /// It offers `acme-tls/1` alone: a certificate authority validates (RFC 8737 §3).
        VALIDATION,
        /// It offers only others.
        FOREIGN
    }

    /// Reads the body of the message.
    ///
    /// @param spoken the protocols of this server
    static ClientHello read(ByteBuf hello, List<byte[]> spoken) {
        Reader body = new Reader(hello, hello.readerIndex(), hello.writerIndex());
        TlsVersion version = body.number(2) >= TLS_1_2 ? TlsVersion.TLS_1_2 : null; // legacy_version
        body.skip(RANDOM);
        body.skip(body.number(1)); // legacy_session_id
        body.skip(body.number(2)); // cipher_suites
        body.skip(body.number(1)); // legacy_compression_methods
        if (!body.hasMore()) {
            return body.failed ? NOTHING : new ClientHello(null, Protocols.NOT_ASKED, version);
        }
        Reader extensions = body.inner(2);
        String name = null;
        Protocols protocols = Protocols.NOT_ASKED;
        while (extensions.hasMore()) {
            int type = extensions.number(2);
            Reader extension = extensions.inner(2);
            if (type == SERVER_NAME) {
                name = serverName(extension.only(2));
            } else if (type == PROTOCOL_NAMES) {
                protocols = protocols(extension.only(2), spoken);
            } else if (type == SUPPORTED_VERSIONS) {
                version = version(extension.only(1));
            }
        }
        return body.failed || extensions.failed || body.hasMore() ? NOTHING : new ClientHello(name, protocols, version);
    }

    private static @Nullable TlsVersion version(Reader versions) {
        TlsVersion newest = null;
        while (versions.hasMore()) {
            int version = versions.number(2);
            if (version == TLS_1_3) {
                newest = TlsVersion.TLS_1_3;
            } else if (version == TLS_1_2 && newest == null) {
                newest = TlsVersion.TLS_1_2;
            }
        }
        return versions.failed ? null : newest;
    }

    /// The one name of a list that can hold no other.
    private static @Nullable String serverName(Reader names) {
        int type = names.number(1);
        byte[] name = names.inner(2).rest();
        return names.failed || names.hasMore() || type != HOST_NAME || name.length == 0 || name.length > NAME_MAX
                ? null
                : new String(name, StandardCharsets.ISO_8859_1);
    }

    private static Protocols protocols(Reader names, List<byte[]> spoken) {
        boolean common = false;
        boolean validation = true;
        int count = 0;
        boolean sound = names.hasMore();
        while (names.hasMore()) {
            byte[] name = names.inner(1).rest();
            count++;
            sound &= name.length > 0;
            common |= spoken.stream().anyMatch(own -> Arrays.equals(own, name));
            validation &= Arrays.equals(VALIDATION, name);
        }
        if (names.failed || !sound) {
            return Protocols.NOT_ASKED;
        }
        if (common) {
            return Protocols.COMMON;
        }
        return validation && count == 1 ? Protocols.VALIDATION : Protocols.FOREIGN;
    }

    /// Bytes from one place to another. What is not there reads as nothing, and nothing follows it.
    private static final class Reader {
        private final ByteBuf bytes;
        private int at;
        private int end;
        boolean failed;

        Reader(ByteBuf bytes, int at, int end) {
            this.bytes = bytes;
            this.at = at;
            this.end = end;
        }

        boolean hasMore() {
            return at < end;
        }

        int number(int width) {
            if (end - at < width) {
                fail();
                return 0;
            }
            at += width;
            return width == 1 ? bytes.getUnsignedByte(at - 1) : bytes.getUnsignedShort(at - 2);
        }

        void skip(int count) {
            if (end - at < count) {
                fail();
            } else {
                at += count;
            }
        }

        /// The bytes whose number comes first.
        Reader inner(int width) {
            int from = at + width;
            skip(number(width));
            Reader inner = new Reader(bytes, failed ? end : from, at);
            inner.failed = failed;
            return inner;
        }

        /// The same where nothing may follow them.
        Reader only(int width) {
            Reader inner = inner(width);
            inner.failed |= hasMore();
            return inner;
        }

        byte[] rest() {
            byte[] rest = new byte[Math.max(0, end - at)];
            bytes.getBytes(at, rest);
            return rest;
        }

        private void fail() {
            failed = true;
            at = end;
        }
    }
}
