/// The replacement of a JVM that was started by a bare `java -jar` with one that has the flags that serving wants.
///
/// Not here: the check for a new enough Java (`io.servery.launcher`), and what happens after the start.
@NullMarked
package io.servery.netty.start;

import org.jspecify.annotations.NullMarked;
