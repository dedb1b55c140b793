package io.servery.http.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/// Drops what a peer sends after our end, beneath TLS: BoringSSL's engine takes content after close_notify for a failure, and
/// decrypting what nobody reads would be work in vain.
final class DroppedInput extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }
}
