package io.servery.netty.start;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/// What the C library of a process that serves is told about memory: mallopt(3), by the variable that it has for it.
///
/// A compiler of the JVM takes tens of mebibytes for seconds, in pieces of 32 KiB, which malloc would cut from its heaps and keep
/// there, among what lives long. Pieces of this size that no free one fits are mapped on their own here, and gone when they are freed.
/// Buffers are larger, and kept; the state of an encoder is mapped anew for each form that is made, which costs little beside it.
///
/// Workers have it of their parent, where that was replaced. It is for the JVM alone: whatever comes to start programs of others must
/// leave it out. Another C library does not look at it.
final class MallocVariables {
    /// Below the piece of an arena of the JVM, above the 17 KiB that a TLS record takes.
    private static final String MAPPED_FROM = "MALLOC_MMAP_THRESHOLD_=30000";
    /// A user who set one of these has thought about it.
    private static final String USERS = "MALLOC_MMAP_THRESHOLD_=";
    private static final String TUNABLES = "GLIBC_TUNABLES=";
    private static final String TUNABLE = "glibc.malloc.mmap_threshold=";

    private MallocVariables() {
    }

    /// The variables, as `NAME=value`, with ours where the user set none of the kind.
    static List<byte[]> beside(List<byte[]> given) {
        for (byte[] variable : given) {
            if (begins(variable, USERS) || begins(variable, TUNABLES) && contains(variable, TUNABLE)) {
                return given;
            }
        }
        List<byte[]> all = new ArrayList<>(given);
        all.add(MAPPED_FROM.getBytes(US_ASCII));
        return all;
    }

    private static boolean begins(byte[] variable, String name) {
        return hasAt(variable, 0, name);
    }

    private static boolean contains(byte[] variable, String part) {
        for (int from = 0; from < variable.length; from++) {
            if (hasAt(variable, from, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasAt(byte[] variable, int from, String part) {
        int at = 0;
        while (at < part.length() && from + at < variable.length && variable[from + at] == part.charAt(at)) {
            at++;
        }
        return at == part.length();
    }
}
