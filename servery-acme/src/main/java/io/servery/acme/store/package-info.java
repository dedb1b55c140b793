/// The state directory of ACME: account key, the order under way, what was obtained, what is active, what failed.
///
/// [StateDirectory] is one identity's view of it. A file is old or new, never between, whenever the machine stops
/// ([Disk], [RecordFile]); a damaged one is kept aside and counts as absent.
///
/// Not here: when something is written (`order`), and what a certificate must be to be kept (`order`).
@NullMarked
package io.servery.acme.store;

import org.jspecify.annotations.NullMarked;
