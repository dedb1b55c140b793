/// The meaning of HTTP (RFC 9110, RFC 9111, RFC 3986) as pure functions over text: methods, fields, dates, validators,
/// preconditions, ranges, targets.
///
/// Not here: bytes and framing (`http1`), files, Netty, clocks. What needs the time of day takes it as an argument.
@NullMarked
package io.servery.http.semantics;

import org.jspecify.annotations.NullMarked;
