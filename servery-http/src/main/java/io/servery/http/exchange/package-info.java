/// One request and its one answer, whatever the protocol: the parsed head, the exchange, the refusal table, the sealed
/// response plan, the stages and the handler.
///
/// Not here: bytes on a wire (`http1`), meaning of fields (`semantics`), files and applications.
@NullMarked
package io.servery.http.exchange;

import org.jspecify.annotations.NullMarked;
