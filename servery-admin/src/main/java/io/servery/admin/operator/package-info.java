/// The operator's end of the operator socket: one request, one reply, within a time.
///
/// Not here: the protocol (`io.servery.core.operator`), where the socket is (`io.servery.core.config.RuntimeDirectory`),
/// the commands (`io.servery.netty.cli`).
@NullMarked
package io.servery.admin.operator;

import org.jspecify.annotations.NullMarked;
