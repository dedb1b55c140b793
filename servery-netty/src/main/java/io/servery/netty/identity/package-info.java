/// Identities on their way from the files of the configuration to the workers that show them.
@NullMarked
package io.servery.netty.identity;

import org.jspecify.annotations.NullMarked;
