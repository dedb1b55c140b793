/// What is counted: the names and label sets of every metric, the counters themselves, and immutable snapshots of them.
///
/// Labels are enumerations, so nothing that a peer sends can become one. A counter is one slot of an array, found by
/// arithmetic on ordinals.
///
/// Not here: reading the operating system or the JVM (their values arrive as a [ProcessSample]), text formats, clocks.
@NullMarked
package io.servery.core.metric;

import org.jspecify.annotations.NullMarked;
