package io.servery.core.config;

import java.util.List;

/// The values of the elements of repeated tables, in the order of the file.
///
/// @param mounts `[[mount]]`
/// @param identities `[[tls.identity]]`
record Repeated(List<Values> mounts, List<Values> identities) {
    Repeated {
        mounts = List.copyOf(mounts);
        identities = List.copyOf(identities);
    }

    List<Values> of(String table) {
        return switch (table) {
            case KeyTable.MOUNT -> mounts;
            case KeyTable.IDENTITY -> identities;
            default -> throw new IllegalArgumentException(table);
        };
    }
}
