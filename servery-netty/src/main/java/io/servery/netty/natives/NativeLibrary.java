package io.servery.netty.natives;

import com.github.luben.zstd.util.ZstdVersion;

/// A native file that the jar carries for both processors.
public enum NativeLibrary {
    EPOLL("META-INF/native/libnetty_transport_native_epoll_x86_64.so",
            "META-INF/native/libnetty_transport_native_epoll_aarch_64.so"),
    BORINGSSL("META-INF/native/libnetty_tcnative_linux_x86_64.so",
            "META-INF/native/libnetty_tcnative_linux_aarch_64.so"),
    BROTLI("lib/linux-x86_64/libbrotli.so", "lib/linux-aarch64/libbrotli.so"),
    ZSTD("linux/amd64/libzstd-jni-" + ZstdVersion.VERSION + ".so",
            "linux/aarch64/libzstd-jni-" + ZstdVersion.VERSION + ".so");

    private final String amd64;
    private final String aarch64;

    NativeLibrary(String amd64, String aarch64) {
        this.amd64 = amd64;
        this.aarch64 = aarch64;
    }

    /// The name of its resource for the processor of this JVM.
    String resource() {
        return System.getProperty("os.arch").equals("aarch64") ? aarch64 : amd64;
    }
}
