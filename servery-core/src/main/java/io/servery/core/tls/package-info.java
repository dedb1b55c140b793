/// What a server shows for itself in TLS, as values: certificate chains with their keys, read from PEM and judged; the names
/// they stand for; keys of session tickets and when they change; the certificate that a service signs for itself.
///
/// Not here: reading files, the time of day (what needs it takes it as an argument), TLS itself (`io.servery.http.tls`).
@NullMarked
package io.servery.core.tls;

import org.jspecify.annotations.NullMarked;
