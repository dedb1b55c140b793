/// Digests of content, wherever its bytes are.
///
/// Not here: which digests an answer has, when they are made, and how long they are kept.
@NullMarked
package io.servery.netty.files.digest;

import org.jspecify.annotations.NullMarked;
