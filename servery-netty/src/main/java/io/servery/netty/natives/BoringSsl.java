package io.servery.netty.natives;

/// BoringSSL's library, loaded from the directory of native files before Netty looks for it.
public final class BoringSsl {
    static {
        NativeFiles.load(NativeLibrary.BORINGSSL).ifPresent(NativeFiles::endUnpackingByNetty);
    }

    private BoringSsl() {
    }

    /// Loads it at the first call. Before anything of Netty's TLS is touched, and after [NativeFiles#prepare]; where there
    /// is no directory, Netty unpacks it itself.
    public static void load() {
        // The initialiser has done it.
    }
}
