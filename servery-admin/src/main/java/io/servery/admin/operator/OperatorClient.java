package io.servery.admin.operator;

import io.servery.core.control.Decoded;
import io.servery.core.fault.ExitCode;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/// Asks the parent of a service.
///
/// Whatever goes wrong is a reply too, whose exit code says what kind of failure it is: nobody there is 69, no permission
/// 77, no answer in time 75, an answer that is none 70.
///
/// *Owner*: any thread that may block until the limit.
public final class OperatorClient {
    private static final int FIRST_BYTES = 16 << 10;
    private static final long RETRY_MILLIS = 50;

    private final Path socket;
    private final long deadlineNanos;
    private final Duration limit;

    private OperatorClient(Path socket, Duration limit) {
        this.socket = socket;
        this.limit = limit;
        this.deadlineNanos = System.nanoTime() + limit.toNanos();
    }

    /// What the parent that listens on the socket answers.
    ///
    /// @param limit of the whole exchange
    public static OperatorReply ask(Path socket, OperatorRequest request, Duration limit) {
        return new OperatorClient(socket, limit).ask(request);
    }

    private OperatorReply ask(OperatorRequest request) {
        try (Selector selector = Selector.open(); SocketChannel channel = connected(selector)) {
            channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer bytes = ByteBuffer.wrap(request.encode());
            while (bytes.hasRemaining()) {
                await(selector);
                channel.write(bytes);
            }
            channel.register(selector, SelectionKey.OP_READ);
            return reply(selector, channel);
        } catch (Late _) {
            return OperatorReply.err(ExitCode.TEMPORARY, about("found no answer within " + limit.toMillis()
                    + " ms; expected one (what was asked for may still happen)"));
        } catch (Absent absent) {
            return OperatorReply.err(absent.exit, about(absent.what));
        } catch (IOException e) {
            return OperatorReply.err(ExitCode.UNAVAILABLE, about("the connection was lost: " + e.getMessage()));
        }
    }

    /// A Unix socket whose queue is full refuses at once (EAGAIN, connect(2)), so that is tried again until the limit.
    private SocketChannel connected(Selector selector) throws IOException {
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                if (channel.connect(UnixDomainSocketAddress.of(socket))) {
                    return channel;
                }
            } catch (ConnectException refused) {
                channel.close();
                throw absent(refused);
            } catch (IOException e) {
                channel.close();
                if (!Files.isWritable(socket)) {
                    throw absent(e);
                }
            }
            channel.close();
            pause(selector);
        }
    }

    private OperatorReply reply(Selector selector, SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES);
        while (true) {
            await(selector);
            int read = channel.read(buffer);
            ByteBuffer seen = buffer.duplicate().flip();
            switch (OperatorReply.decode(seen)) {
                case Decoded.Complete<OperatorReply>(OperatorReply reply) -> {
                    return seen.hasRemaining()
                            ? malformed("found " + seen.remaining() + " bytes after the reply")
                            : reply;
                }
                case Decoded.Malformed<OperatorReply>(String what) -> {
                    return malformed(what);
                }
                case Decoded.Incomplete<OperatorReply>(int bytes) -> {
                    if (read < 0) {
                        return malformed("found the end of the connection after " + buffer.position()
                                + " bytes; expected a reply");
                    }
                    buffer = bytes > buffer.capacity() ? ByteBuffer.allocate(bytes).put(buffer.flip()) : buffer;
                }
            }
        }
    }

    private void await(Selector selector) throws IOException {
        selector.selectedKeys().clear();
        if (selector.select(remainingMillis()) == 0 && selector.selectedKeys().isEmpty()) {
            remainingMillis();
        }
    }

    private void pause(Selector selector) throws IOException {
        selector.select(Math.min(RETRY_MILLIS, remainingMillis()));
    }

    /// At least 1, because a selector takes 0 for ever.
    private long remainingMillis() throws Late {
        long nanos = deadlineNanos - System.nanoTime();
        if (nanos <= 0) {
            throw new Late();
        }
        return Math.max(1, nanos / 1_000_000);
    }

    /// Why there is no connection: the file system says it in classes, the socket in words of the host's language.
    private Absent absent(IOException refused) {
        try {
            BasicFileAttributes there = Files.readAttributes(socket, BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS);
            if (!Files.isWritable(socket)) {
                return new Absent(ExitCode.PERMISSION,
                        "found no permission; expected the user of the service, or root");
            }
            return new Absent(ExitCode.UNAVAILABLE, there.isOther()
                    ? "found nobody who listens; expected the parent of a service (" + refused.getMessage() + ")"
                    : "found no socket; expected that of the parent of a service");
        } catch (NoSuchFileException _) {
            return new Absent(ExitCode.UNAVAILABLE, "found no socket; expected that of the parent of a service");
        } catch (AccessDeniedException _) {
            return new Absent(ExitCode.PERMISSION, "found no permission; expected the user of the service, or root");
        } catch (IOException e) {
            return new Absent(ExitCode.UNAVAILABLE, "cannot be reached: " + e.getMessage());
        }
    }

    private OperatorReply malformed(String what) {
        return OperatorReply.err(ExitCode.SOFTWARE, about(what));
    }

    private String about(String what) {
        return "operator socket " + socket + ": error: " + what + "\n";
    }

    /// The limit has passed.
    private static final class Late extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /// There is nobody to speak to.
    private static final class Absent extends IOException {
        private static final long serialVersionUID = 1L;
        private final ExitCode exit;
        private final String what;

        Absent(ExitCode exit, String what) {
            super(what);
            this.exit = exit;
            this.what = what;
        }
    }
}
