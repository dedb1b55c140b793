package io.servery.netty.files;

import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.open.FileIdentity;
import java.util.Map;

/// Which versions of a file and of its compressed forms were read.
///
/// @param beside of the forms that lie beside it
record Identities(FileIdentity plain, Map<ContentCoding, FileIdentity> beside) {
    Identities {
        beside = Map.copyOf(beside);
    }

    /// Those of a file with nothing beside it.
    static Identities of(FileIdentity plain) {
        return new Identities(plain, Map.of());
    }

    /// When the last of them changed.
    long changedMillis() {
        long latest = millis(plain);
        for (FileIdentity identity : beside.values()) {
            latest = Math.max(latest, millis(identity));
        }
        return latest;
    }

    private static long millis(FileIdentity identity) {
        return identity.changed().epochSecond() * 1_000 + identity.changed().nanos() / 1_000_000;
    }
}
