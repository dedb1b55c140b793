/// What operators see while the server runs: events on standard error, the access log on standard output, the process's
/// own figures.
///
/// Not here: counting (`core.metric`) and the admin answers (`admin`).
@NullMarked
package io.servery.netty.observe;

import org.jspecify.annotations.NullMarked;
