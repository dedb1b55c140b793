package io.servery.interop.tls;

import io.servery.interop.WireConnection;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/// A connection below TLS: any bytes out, records in (RFC 8446 §5.1).
final class Records implements AutoCloseable {
    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    private static final int SERVER_HELLO = 2;
    private static final int KEY_SHARE = 51;
    private static final int RANDOM = 6;
    private static final int SESSION = 38;
    /// The random of a ServerHello that asks for another first message (§4.1.3).
    private static final byte[] RETRY = HexFormat.of()
            .parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

    private final Socket socket;
    private final DataInputStream in;

    private Records(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /// One record.
    ///
    /// @param type 21 for an alert, 22 for a handshake message
    record Received(int type, byte[] content) {
        boolean isServerHello() {
            return type == HANDSHAKE && content.length > SESSION && content[0] == SERVER_HELLO;
        }

        /// Whether it is a fatal alert of this kind (§6.2).
        boolean isAlert(int description) {
            return type == ALERT && content.length == 2 && content[0] == 2 && content[1] == description;
        }

        /// The group that a HelloRetryRequest asks for (§4.2.8); empty where it is none.
        Optional<Integer> groupAskedFor() {
            if (!isServerHello() || !Arrays.equals(content, RANDOM, SESSION, RETRY, 0, RETRY.length)) {
                return Optional.empty();
            }
            ByteBuffer rest = ByteBuffer.wrap(content).position(SESSION);
            // The session, the cipher, the compression, and how long the extensions are.
            rest.position(rest.position() + 1 + rest.get(rest.position()) + 3 + 2);
            while (rest.remaining() >= 4) {
                int extension = rest.getShort();
                int length = rest.getShort();
                if (extension == KEY_SHARE) {
                    return Optional.of((int) rest.getShort());
                }
                rest.position(rest.position() + length);
            }
            return Optional.empty();
        }

        @Override
        public String toString() {
            return "record of type " + type + ": "
                    + HexFormat.of().formatHex(content, 0, Math.min(64, content.length));
        }
    }

    static Records open(int port) {
        try {
            Socket socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    (int) WireConnection.PATIENCE.toMillis());
            return new Records(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Records send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The next record; empty at the end of the connection.
    Optional<Received> next() {
        try {
            socket.setSoTimeout((int) WireConnection.PATIENCE.toMillis());
            int type = in.readUnsignedByte();
            in.readShort();
            return Optional.of(new Received(type, in.readNBytes(in.readUnsignedShort())));
        } catch (SocketTimeoutException e) {
            throw new AssertionError("neither a record nor an end within " + WireConnection.PATIENCE, e);
        } catch (EOFException | SocketException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for so long; what comes meanwhile does not matter.
    ///
    /// @return whether the connection ended, in whatever way
    boolean ends(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        try {
            for (long left = within.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                socket.setSoTimeout((int) left);
                if (in.read() < 0) {
                    return true;
                }
            }
            return false;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether anything comes, be it the end.
    boolean heardOrEnded(Duration within) {
        try {
            socket.setSoTimeout((int) within.toMillis());
            in.read();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All that comes until the connection ends, in whatever way.
    byte[] rest() {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        try {
            socket.setSoTimeout((int) WireConnection.PATIENCE.toMillis());
            in.transferTo(heard);
        } catch (SocketException reset) {
            // An end too.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return heard.toByteArray();
    }

    /// Whether the connection ends while a byte of these is sent now and then.
    boolean endsWhileSending(byte[] bytes, Duration pause, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        for (int i = 0; i < bytes.length && System.nanoTime() < end; i++) {
            try {
                send(new byte[]{bytes[i]});
            } catch (UncheckedIOException gone) {
                return true;
            }
            if (ends(pause)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
