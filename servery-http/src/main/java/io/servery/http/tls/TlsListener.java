package io.servery.http.tls;

import io.netty.channel.Channel;

/// Told of the end of each handshake, once for each connection, on its event loop.
public interface TlsListener {
    /// The handshake is done: what comes next in the pipeline is plain. Whoever speaks inside is added to it now, before the
    /// first bytes arrive.
    void secured(Channel channel, TlsConnection connection);

    /// There will be no connection; the channel is closed or about to be.
    void failed(Channel channel, TlsFailure failure);
}
