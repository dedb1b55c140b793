package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.servery.core.config.TlsVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

/// Hellos as the JDK's TLS writes them, whole and cut, and some that nobody writes.
class ClientHelloTest {
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final List<byte[]> SPOKEN = List.of("http/1.1".getBytes(StandardCharsets.US_ASCII));

    @Test
    void nameAndProtocolsAreReadAsSent() throws Exception {
        ByteBuf hello = hello("Site.example", "h2", "http/1.1");
        assertThat(ClientHello.read(hello, SPOKEN))
                .isEqualTo(new ClientHello("Site.example", ClientHello.Protocols.COMMON, TlsVersion.TLS_1_3));
        assertThat(ClientHello.read(hello("a.example", "h2"), SPOKEN).protocols())
                .isEqualTo(ClientHello.Protocols.FOREIGN);
    }

    @Test
    void whatIsNotThereIsNothing() throws Exception {
        assertThat(ClientHello.read(hello(null), SPOKEN))
                .isEqualTo(new ClientHello(null, ClientHello.Protocols.NOT_ASKED, TlsVersion.TLS_1_3));
        assertThat(ClientHello.read(Unpooled.EMPTY_BUFFER, SPOKEN)).isEqualTo(ClientHello.NOTHING);
    }

    /// Where the extensions begin it is whole without them.
    @Test
    void helloCutAnywhereSaysNothing() throws Exception {
        ByteBuf hello = hello("site.example", "h2");
        int extensions = extensionsOf(hello);
        assertThat(ClientHello.read(hello.slice(0, extensions), SPOKEN))
                .isEqualTo(new ClientHello(null, ClientHello.Protocols.NOT_ASKED, TlsVersion.TLS_1_2));
        for (int length = 0; length < hello.readableBytes(); length++) {
            if (length == extensions) {
                continue;
            }
            assertThat(ClientHello.read(hello.slice(0, length), SPOKEN)).as("%d bytes", length)
                    .isEqualTo(ClientHello.NOTHING);
        }
        assertThat(ClientHello.read(Unpooled.wrappedBuffer(hello, Unpooled.wrappedBuffer(new byte[1])), SPOKEN))
                .isEqualTo(ClientHello.NOTHING);
    }

    @Test
    void listOfNamesWithAnythingButOneHostNameSaysNothing() {
        assertThat(ClientHello.read(extension(0, "0006 00 0003 612e62"), SPOKEN).serverName()).isEqualTo("a.b");
        assertThat(ClientHello.read(extension(0, "0006 01 0003 612e62"), SPOKEN).serverName()).isNull();
        assertThat(ClientHello.read(extension(0, "000c 00 0003 612e62 00 0003 632e64"), SPOKEN).serverName()).isNull();
        assertThat(ClientHello.read(extension(0, "0003 00 0000"), SPOKEN).serverName()).isNull();
        assertThat(ClientHello.read(extension(0, "0006 00 0003 612e62 00"), SPOKEN).serverName()).isNull();
        assertThat(ClientHello.read(extension(0, "0006 00 0004 612e62"), SPOKEN))
                .isEqualTo(new ClientHello(null, ClientHello.Protocols.NOT_ASKED, TlsVersion.TLS_1_2));
    }

    @Test
    void listOfProtocolsThatIsMalformedSaysNothing() {
        assertThat(ClientHello.read(extension(16, "0003 02 6832"), SPOKEN).protocols())
                .isEqualTo(ClientHello.Protocols.FOREIGN);
        for (String malformed : List.of("0003 03 6832", "0000", "0004 02 6832 00", "0003 02 6832 00")) {
            assertThat(ClientHello.read(extension(16, malformed), SPOKEN).protocols()).as(malformed)
                    .isEqualTo(ClientHello.Protocols.NOT_ASKED);
        }
    }

    /// RFC 8446 §4.2.1: without the extension the version is that of the message.
    @Test
    void newestOfferedVersionOfOursIsRead() {
        assertThat(ClientHello.read(extension(43, "06 0a0a 0303 0304"), SPOKEN).version())
                .isEqualTo(TlsVersion.TLS_1_3);
        assertThat(ClientHello.read(extension(43, "04 0304 0303"), SPOKEN).version()).isEqualTo(TlsVersion.TLS_1_3);
        assertThat(ClientHello.read(extension(43, "04 0303 0302"), SPOKEN).version()).isEqualTo(TlsVersion.TLS_1_2);
        assertThat(ClientHello.read(extension(0, "0006 00 0003 612e62"), SPOKEN).version())
                .isEqualTo(TlsVersion.TLS_1_2);
        assertThat(ClientHello.read(start(0x0303), SPOKEN).version()).isEqualTo(TlsVersion.TLS_1_2);
        assertThat(ClientHello.read(start(0x0302), SPOKEN).version()).isNull();
        for (String none : List.of("02 0302", "00", "03 0304 03", "04 0304", "02 0304 00")) {
            assertThat(ClientHello.read(extension(43, none), SPOKEN).version()).as(none).isNull();
        }
    }

    private static int extensionsOf(ByteBuf hello) {
        int at = 2 + 32;
        at += 1 + hello.getUnsignedByte(at); // legacy_session_id
        at += 2 + hello.getUnsignedShort(at); // cipher_suites
        return at + 1 + hello.getUnsignedByte(at); // legacy_compression_methods
    }

    /// A hello without extensions.
    private static ByteBuf start(int version) {
        ByteBuf hello = Unpooled.buffer();
        hello.writeShort(version).writeZero(32).writeByte(0);
        return hello.writeShort(2).writeShort(0x1301).writeByte(1).writeByte(0);
    }

    /// A hello with one extension.
    private static ByteBuf extension(int type, String hex) {
        byte[] value = HexFormat.of().parseHex(hex.replace(" ", ""));
        ByteBuf hello = start(0x0303);
        return hello.writeShort(value.length + 4).writeShort(type).writeShort(value.length).writeBytes(value);
    }

    /// The body of a hello.
    private static ByteBuf hello(String name, String... protocols) throws Exception {
        return Unpooled.wrappedBuffer(message(name, protocols)).skipBytes(MESSAGE_HEADER).slice();
    }

    /// A hello with its header, as the JDK's TLS writes it.
    static byte[] message(String name, String... protocols) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        parameters.setApplicationProtocols(protocols);
        engine.setSSLParameters(parameters);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        byte[] message = new byte[record.flip().remaining() - RECORD_HEADER];
        record.position(RECORD_HEADER).get(message);
        return message;
    }
}
