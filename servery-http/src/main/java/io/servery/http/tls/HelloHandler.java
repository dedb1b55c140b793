package io.servery.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Reads the first message of a client and puts the handler of the identity that it asks for in its own place.
///
/// *Owner*: the event loop. *Invariant*: a message is at most `HELLO_BYTES_MAX` long; what is held is at most that, in
/// records of any size, and one record more.
final class HelloHandler extends SslClientHelloHandler<ClientHello> {
    static final int HELLO_BYTES_MAX = 16 * 1024;

    /// A fatal alert, no_application_protocol (RFC 7301 §3.2), in a record of its own.
    private static final byte[] NO_APPLICATION_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};
    /// The same for unrecognized_name (RFC 6066 §3).
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final TlsContexts contexts;
    private final HandshakeHandler handshake;
    private boolean refused;

    HelloHandler(TlsContexts contexts, HandshakeHandler handshake) {
        super(HELLO_BYTES_MAX);
        setCumulator(HelloHandler::joined);
        this.contexts = contexts;
        this.handshake = handshake;
    }

    /// The first bytes are copied: the buffer of a reading has room for much more than a peer that says little has said.
    private static ByteBuf joined(ByteBufAllocator allocator, ByteBuf held, ByteBuf in) {
        if (held.isReadable()) {
            return MERGE_CUMULATOR.cumulate(allocator, held, in);
        }
        held.release();
        try {
            return allocator.ioBuffer(in.readableBytes()).writeBytes(in);
        } finally {
            in.release();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(context, in, out);
        }
    }

    @Override
    protected Future<ClientHello> lookup(ChannelHandlerContext context, @Nullable ByteBuf hello) {
        // What is no ClientHello goes to BoringSSL, which answers it with the alert that it deserves.
        return context.executor().newSucceededFuture(
                hello == null ? ClientHello.NOTHING : ClientHello.read(hello, contexts.protocols()));
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext context, Future<ClientHello> done) throws SSLException {
        ClientHello hello = done.getNow();
        handshake.offered(hello.version());
        switch (hello.protocols()) {
            case FOREIGN -> refuse(context, TlsFailure.NO_COMMON_PROTOCOL, NO_APPLICATION_PROTOCOL);
            case VALIDATION -> validate(context, hello.serverName());
            case COMMON, NOT_ASKED -> begin(context, contexts.acquire(hello.serverName()), false);
        }
    }

    /// While no challenge stands `acme-tls/1` is not spoken; while some do, it is for their names alone.
    private void validate(ChannelHandlerContext context, @Nullable String serverName) throws SSLException {
        IdentityContext challenge = serverName == null ? null : contexts.acquireForValidation(serverName);
        if (challenge != null) {
            begin(context, challenge, true);
        } else if (serverName != null && contexts.validates()) {
            refuse(context, TlsFailure.UNKNOWN_NAME, UNRECOGNIZED_NAME);
        } else {
            refuse(context, TlsFailure.NO_COMMON_PROTOCOL, NO_APPLICATION_PROTOCOL);
        }
    }

    private void refuse(ChannelHandlerContext context, TlsFailure failure, byte[] alert) {
        refused = true;
        handshake.failed(context.channel(), failure);
        context.writeAndFlush(Unpooled.wrappedBuffer(alert)).addListener(ChannelFutureListener.CLOSE);
    }

    /// @param identity acquired, and let go of here
    private void begin(ChannelHandlerContext context, IdentityContext identity, boolean validation)
            throws SSLException {
        try {
            begin(context, identity, identity.newHandler(context.alloc()), validation);
        } finally {
            identity.release();
        }
    }

    private void begin(ChannelHandlerContext context, IdentityContext identity, SslHandler handler,
            boolean validation) {
        try {
            handshake.begins(identity, handler, validation);
            context.pipeline().replace(this, null, handler);
        } catch (RuntimeException e) {
            ReferenceCountUtil.safeRelease(handler.engine()); // in a pipeline the handler does it
            throw e;
        }
    }
}
