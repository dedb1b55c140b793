/// The stable reason codes: one word for one cause, the same in a metric, an event and a response.
///
/// Not here: what is done about a cause (the refusal table of servery-http), or the counting of it (`metric`).
@NullMarked
package io.servery.core.reason;

import org.jspecify.annotations.NullMarked;
