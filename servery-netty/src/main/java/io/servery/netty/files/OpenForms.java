package io.servery.netty.files;

import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.semantics.ContentCoding;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file that is too large for memory, kept open together with the forms of it that lie beside it, so that the next request
/// for it costs no look-up on disk.
///
/// *Owner*: any thread; the cache lets go of it once.
final class OpenForms implements KeptSource {
    /// The objects of one form.
    private static final int FORM_BYTES = 1_024;

    private final Form plain;
    private final Map<ContentCoding, Form> beside;

    /// One form of it.
    record Form(ReadyHeads heads, SharedFile file) {
        Form(Representation representation, SharedFile file) {
            this(ReadyHeads.of(representation), file);
        }
    }

    /// Takes the files over.
    OpenForms(Form plain, Map<ContentCoding, Form> beside) {
        this.plain = plain;
        this.beside = Map.copyOf(beside);
    }

    /// The form that is liked best, held once more for whoever asks; null when the cache let go of it meanwhile.
    @Nullable
    DiskFile acquire(AcceptEncoding accepted) {
        Form form = liked(accepted);
        return form.file().acquire() ? new DiskFile(form.heads(), form.file()) : null;
    }

    /// The same, but null also when the file was written to since it was opened: its head would be of another version.
    @Override
    public @Nullable FileSource take(AcceptEncoding accepted) {
        Form form = liked(accepted);
        if (!form.file().acquire()) {
            return null;
        }
        if (!form.file().unchanged()) {
            form.file().close();
            return null;
        }
        return new DiskFile(form.heads(), form.file());
    }

    private Form liked(AcceptEncoding accepted) {
        for (int i = 0; i < accepted.codings().size() && !beside.isEmpty(); i++) {
            Form form = beside.get(accepted.codings().get(i));
            if (form != null) {
                return form;
            }
        }
        return plain;
    }

    @Override
    public long bytesHeld() {
        return (long) FORM_BYTES * descriptors();
    }

    @Override
    public int descriptors() {
        return 1 + beside.size();
    }

    @Override
    public void letGo() {
        letGo(plain);
        beside.values().forEach(OpenForms::letGo);
    }

    private static void letGo(Form form) {
        try {
            form.file().close();
        } catch (UncheckedIOException e) {
            // A file system that is gone. The descriptor is free all the same, and nothing was to be written.
        }
    }
}
