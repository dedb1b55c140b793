package io.servery.supervisor.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// A system call through the JNI, from a library of two functions that the build writes beside the jar
/// (`build/SystemCallLibrary.java`).
///
/// The FFM API needs no library, and a third of a start until its first call: it makes classes, which no cache keeps. Where
/// the library is absent, on another processor or out of a directory of classes, callers go that way.
public final class SystemCall {
    private static final String SUFFIX = ".jar";
    private static final String OWNER = "unix:uid";
    private static final boolean LOADED = load();

    private SystemCall() {
    }

    /// Whether it is to be had here.
    public static boolean isAvailable() {
        return LOADED;
    }

    /// Calls the kernel. Long because a system call is a number and its arguments.
    ///
    /// @return what it returns: an error number comes with its sign turned
    public static long of(long number, long first, long second, long third, long fourth, long fifth) {
        return call(number, first, second, third, fourth, fifth, 0);
    }

    /// Calls the kernel. Long because it is [#of] for the calls that have as many arguments as there may be.
    public static long of(long number, long first, long second, long third, long fourth, long fifth, long sixth) {
        return call(number, first, second, third, fourth, fifth, sixth);
    }

    /// Where the memory of a direct buffer begins.
    public static long addressOf(ByteBuffer direct) {
        return address(direct);
    }

    private static native long address(ByteBuffer direct);

    /// Long because it is [#of].
    private static native long call(long number, long first, long second, long third, long fourth, long fifth,
            long sixth);

    /// Beside the jar, of the jar's owner: in a directory that others may write into they can make a file, but not one of
    /// another's.
    private static boolean load() {
        Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        String name = jar.toString();
        if (!name.endsWith(SUFFIX) || !System.getProperty("os.arch").equals("amd64")) {
            return false;
        }
        Path library = Path.of(name.substring(0, name.length() - SUFFIX.length()) + ".so");
        try {
            if (!Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getAttribute(library, OWNER, LinkOption.NOFOLLOW_LINKS)
                            .equals(Files.getAttribute(jar, OWNER))) {
                return false;
            }
            System.load(library.toString());
            return true;
        } catch (IOException | UnsupportedOperationException | UnsatisfiedLinkError refused) {
            return false;
        }
    }
}
