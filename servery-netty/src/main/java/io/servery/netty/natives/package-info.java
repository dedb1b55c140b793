/// The native files of the jar, unpacked once into a directory of the service and loaded from there (docs/adr/0015).
///
/// Not here: what the libraries do.
@NullMarked
package io.servery.netty.natives;

import org.jspecify.annotations.NullMarked;
