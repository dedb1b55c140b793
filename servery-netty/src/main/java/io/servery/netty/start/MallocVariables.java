package io.servery.netty.start;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/// What the C library of a process that serves is told about memory: mallopt(3), by the variable that it has for it.
///
/// A compiler of the JVM takes tens of mebibytes for seconds, in pieces of 32 KiB, which malloc would cut from its heaps and keep
/// there, among what lives long. Pieces of this size are mapped on their own here, and gone when they are freed. What else
/// a process has in larger ones is asked for once and kept: buffers, states of encoders.
///
/// Workers have it of their parent. One that starts programs of others leaves it out.
final class MallocVariables {
    /// Below the piece of an arena of the JVM, above the 17 KiB that a TLS record takes.
    private static final String MAPPED_FROM = "MALLOC_MMAP_THRESHOLD_=30000";
    /// A user who set one of these has thought about it.
    private static final String[] USERS = {"MALLOC_MMAP_THRESHOLD_=", "GLIBC_TUNABLES="};

    private MallocVariables() {
    }

    /// The variables, as `NAME=value`, with ours where the user set none of the kind.
    static List<byte[]> beside(List<byte[]> given) {
        for (byte[] variable : given) {
            for (String users : USERS) {
                if (begins(variable, users)) {
                    return given;
                }
            }
        }
        List<byte[]> all = new ArrayList<>(given);
        all.add(MAPPED_FROM.getBytes(US_ASCII));
        return all;
    }

    private static boolean begins(byte[] variable, String name) {
        int at = 0;
        while (at < name.length() && at < variable.length && variable[at] == name.charAt(at)) {
            at++;
        }
        return at == name.length();
    }
}
