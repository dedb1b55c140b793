/// What the parent and its workers say to each other: orders down, reports up, and their bytes.
///
/// One stream socket a worker carries frames both ways, in order. Descriptors travel beside the frame of
/// [Order.TakeListeners], by SCM_RIGHTS, in the order of its list.
///
/// *Invariant*: whatever the bytes are, decoding gives a value or says what is wrong with them; it never throws, and never
/// allocates more than the frame that is there is long.
///
/// Not here: sockets, descriptors, queues, deadlines, and what an order or a report leads to (`lifecycle`).
@NullMarked
package io.servery.core.control;

import org.jspecify.annotations.NullMarked;
