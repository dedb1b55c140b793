/// HTTP/1.0 and HTTP/1.1 (RFC 9112): bytes to exchanges and plans to bytes, strictly and within bounds.
///
///     bytes ─► HeadDecoder ─► Http1Exchange ─► stages ─► handler ─► plan ─► PlanWriter ─► bytes
///                 BodyDecoder ─► receiver, or dropped
///
/// `Http1Connection` owns one connection's state, `ContentIntake` and `ExchangeAnswers` the two halves of the exchange on
/// it; `LoopResources` what all connections of one event loop share.
///
/// Not here: the meaning of fields (`semantics`), the wording of refusals (`exchange`), accepting connections.
@NullMarked
package io.servery.http.http1;

import org.jspecify.annotations.NullMarked;
