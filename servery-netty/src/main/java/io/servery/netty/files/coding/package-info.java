/// Content codings as functions from bytes to bytes, by the JDK and by native libraries.
///
/// Not here: what is encoded, when, and who gets it.
@NullMarked
package io.servery.netty.files.coding;

import org.jspecify.annotations.NullMarked;
