package io.servery.interop.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// A first message of TLS, written by hand (RFC 8446 §4.1.2): what it says, and how long it is, is up to the test.
///
/// @param version `legacy_version`
/// @param versions those of `supported_versions`; none leaves the extension out
/// @param groups those of `supported_groups`; there is a key for none of them
/// @param host in `server_name`
/// @param bytes of the whole message, padded to it (RFC 7685); 0 leaves it as it is
record Hello(int version, List<Integer> versions, List<Integer> groups, String host, int bytes) {
    static final int TLS_1_1 = 0x0302;
    static final int TLS_1_2 = 0x0303;
    static final int TLS_1_3 = 0x0304;
    static final int X25519 = 0x001D;
    static final int P_256 = 0x0017;
    static final int X25519MLKEM768 = 0x11EC;
    private static final int RECORD_BYTES_MAX = 16 * 1024;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final HexFormat HEX = HexFormat.of();

    static Hello of(String host, Integer... groups) {
        return new Hello(TLS_1_2, List.of(TLS_1_3), List.of(groups), host, 0);
    }

    /// One of a client that knows nothing newer than this version.
    Hello old(int other) {
        return new Hello(other, List.of(), groups, host, bytes);
    }

    Hello padded(int whole) {
        return new Hello(version, versions, groups, host, whole);
    }

    /// The message in records that are as large as they may be.
    byte[] records() {
        return records(RECORD_BYTES_MAX);
    }

    /// @param size of the content of each record
    byte[] records(int size) {
        byte[] message = message();
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int from = 0; from < message.length; from += size) {
            int to = Math.min(message.length, from + size);
            records.write(HANDSHAKE);
            records.writeBytes(shorts(List.of(0x0301, to - from)));
            records.write(message, from, to - from);
        }
        return records.toByteArray();
    }

    byte[] message() {
        byte[] extensions = extensions(0);
        byte[] body = body(extensions);
        if (bytes > 0) {
            // The extension itself takes four bytes.
            body = body(extensions(bytes - 4 - body.length - 4));
        }
        return joined(new byte[]{CLIENT_HELLO, (byte) (body.length >> 16), (byte) (body.length >> 8),
                (byte) body.length}, body);
    }

    private byte[] body(byte[] extensions) {
        byte[] chance = HEX.parseHex("5a".repeat(32));
        byte[] session = vector(1, chance);
        byte[] ciphers = vector(2, HEX.parseHex("130113021303c02bc02fc02cc030cca9cca8c009c013002f"));
        return joined(shorts(List.of(version)), chance, session, ciphers, vector(1, new byte[1]),
                vector(2, extensions));
    }

    /// @param padding bytes of the content of `padding`; 0 leaves the extension out
    private byte[] extensions(int padding) {
        byte[] name = joined(new byte[1], vector(2, host.getBytes(StandardCharsets.US_ASCII)));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(extension(0, vector(2, name)));
        all.writeBytes(extension(10, vector(2, shorts(groups))));
        all.writeBytes(extension(13, vector(2, HEX.parseHex("04030804040105030805050108060601"))));
        if (!versions.isEmpty()) {
            all.writeBytes(extension(43, vector(1, shorts(versions))));
            all.writeBytes(extension(45, vector(1, new byte[]{1})));
            all.writeBytes(extension(51, vector(2, new byte[0])));
        }
        if (padding > 0) {
            all.writeBytes(extension(21, new byte[padding]));
        }
        return all.toByteArray();
    }

    private static byte[] extension(int type, byte[] content) {
        return joined(shorts(List.of(type)), vector(2, content));
    }

    private static byte[] vector(int lengthBytes, byte[] content) {
        byte[] length = lengthBytes == 1 ? new byte[]{(byte) content.length} : shorts(List.of(content.length));
        return joined(length, content);
    }

    private static byte[] shorts(List<Integer> values) {
        return HEX.parseHex(values.stream().map(value -> HEX.toHexDigits(value.shortValue())).collect(
                Collectors.joining()));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }
}
