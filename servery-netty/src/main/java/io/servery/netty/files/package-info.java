/// Files over HTTP, whatever the transport: from a path to a file beneath a root, from an opened file and the conditional
/// and range fields to a response plan, the listing of a directory, the cache of small files.
///
/// [FileSite] is what one worker serves; [FilesHandler] is its face towards one event loop. What may block runs on the
/// filesystem lane; a fresh file of the cache is answered on the loop.
///
/// Not here: bytes on a wire, system calls (`open`), the meaning of fields (`io.servery.http.semantics`).
@NullMarked
package io.servery.netty.files;

import org.jspecify.annotations.NullMarked;
