package io.servery.http.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/// Drops what a peer sends after our end, beneath TLS: BoringSSL's engine takes content after close_notify for a failure, and
/// decrypting what nobody reads would be work in vain. That the peer resets the connection then, or the socket fails, is the
/// end of it and nobody's fault: [io.netty.handler.ssl.SslHandler] would search the words and the stack of the exception for that.
final class DroppedInput extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            var _ = context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
