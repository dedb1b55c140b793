package io.servery.http.tls;

import io.netty.channel.Channel;
import io.servery.core.config.TlsVersion;
import java.util.Optional;

/// Told of the beginning of each handshake, and by one of the others of its end, on the event loop of the connection.
public interface TlsListener {
    /// A connection is there, and its handshake is waited for.
    void begun(Channel channel);

    /// The handshake is done: what comes next in the pipeline is plain. Whoever speaks inside is added to it now, before the
    /// first bytes arrive.
    void secured(Channel channel, TlsConnection connection);

    /// A certificate authority has seen the certificate of a challenge (RFC 8737); the channel is about to be closed.
    void validated(Channel channel, TlsVersion version);

    /// There will be no connection; the channel is closed or about to be.
    ///
    /// @param offered the newest version that the client offered of those that this server knows; empty where it said nothing or none
    void failed(Channel channel, TlsFailure failure, Optional<TlsVersion> offered);
}
