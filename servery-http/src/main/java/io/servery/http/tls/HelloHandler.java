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
import org.jspecify.annotations.Nullable;

/// Reads the first message of a client and puts the handler of the identity that it asks for in its own place.
///
/// *Owner*: the event loop. *Invariant*: a message is at most `HELLO_BYTES_MAX` long; what is held is at most that, in
/// records of any size, and one record more.
final class HelloHandler extends SslClientHelloHandler<ClientHello> {
    static final int HELLO_BYTES_MAX = 16 * 1024;

    /// A fatal alert, no_application_protocol (RFC 7301 §3.2), in a record of its own.
    private static final byte[] NO_APPLICATION_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};

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
    protected void onLookupComplete(ChannelHandlerContext context, Future<ClientHello> done) {
        ClientHello hello = done.getNow();
        if (hello.protocols() == ClientHello.Protocols.FOREIGN) {
            refused = true;
            handshake.failed(context.channel(), TlsFailure.NO_COMMON_PROTOCOL);
            context.writeAndFlush(Unpooled.wrappedBuffer(NO_APPLICATION_PROTOCOL))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        IdentityContext identity = contexts.acquire(hello.serverName());
        try {
            begin(context, identity, identity.newHandler(context.alloc()));
        } finally {
            identity.release();
        }
    }

    private void begin(ChannelHandlerContext context, IdentityContext identity, SslHandler handler) {
        try {
            handshake.begins(identity, handler);
            context.pipeline().replace(this, null, handler);
        } catch (RuntimeException e) {
            ReferenceCountUtil.safeRelease(handler.engine()); // in a pipeline the handler does it
            throw e;
        }
    }
}
