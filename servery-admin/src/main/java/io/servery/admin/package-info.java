/// The answers of the read-only admin listener: liveness, readiness and metrics, from values that others gather.
///
/// Everything here is a pure function of a request and of what suppliers say at that moment, and may be called from any
/// thread. Threat model: a page in a browser on this host (refused by `Origin`, `Sec-Fetch-Site` and `Host`), and a peer
/// of a public bind (refused without its token).
///
/// Not here: sockets, gathering, deciding; what changes the service.
@NullMarked
package io.servery.admin;

import org.jspecify.annotations.NullMarked;
