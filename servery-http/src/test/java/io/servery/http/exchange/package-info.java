/// Tests of the exchange vocabulary that need no protocol.
@NullMarked
package io.servery.http.exchange;

import org.jspecify.annotations.NullMarked;
