/// Mixed traffic on real sockets, and a verdict on every exchange of it: what a service does to its clients while something
/// is done to the service.
///
/// *Not here*: what is done to the service; rates and latencies, which are the benchmark's.
@NullMarked
package io.servery.interop.load;

import org.jspecify.annotations.NullMarked;
