/// The composition root.
@NullMarked
package io.servery.netty;

import org.jspecify.annotations.NullMarked;
