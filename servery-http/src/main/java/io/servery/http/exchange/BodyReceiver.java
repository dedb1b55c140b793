package io.servery.http.exchange;

import io.netty.buffer.ByteBuf;

/// Takes the content of a request as it arrives, freed of its framing. Hears nothing more once the exchange is answered.
///
/// *Owner:* the event loop of the exchange.
public interface BodyReceiver {
    /// Some content. The buffer belongs to the caller and is good until this returns: retain or copy what is kept.
    void data(ByteBuf content);

    /// The content is complete. Trailer fields, if any, were dropped.
    void completed();

    /// The content will never be complete: it was refused, or the connection is gone. The exchange needs no answer.
    void aborted();
}
