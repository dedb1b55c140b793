package io.servery.netty.natives;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The name of an unpacked native file, which says what it must hold: `STEM-JAR-SUM.so`, with the size and the time of the
/// jar that it came from, and a sum of its content. Where there is no jar it is `STEM-SUM.so`.
///
/// Versions that run beside each other so do not replace each other's; and who has a file of its own jar whose content has the
/// sum need not open the jar, which takes a part of a start.
final class UnpackedFile {
    private static final String SUFFIX = ".so";

    private UnpackedFile() {
    }

    static String name(NativeLibrary library, byte[] content) {
        return prefix(library, jar()) + sum(content) + SUFFIX;
    }

    /// The file of this very jar, when it is there and holds what its name says.
    static @Nullable Path known(NativeLibrary library, Path directory) throws IOException {
        String jar = jar();
        String[] names = jar.isEmpty() ? null : directory.toFile().list();
        String prefix = prefix(library, jar);
        for (String name : names == null ? new String[0] : names) {
            Path file = directory.resolve(name);
            if (name.startsWith(prefix) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && name.equals(prefix + sum(Files.readAllBytes(file)) + SUFFIX)) {
                return file;
            }
        }
        return null;
    }

    private static String prefix(NativeLibrary library, String jar) {
        String resource = library.resource();
        return resource.substring(resource.lastIndexOf('/') + 1, resource.length() - SUFFIX.length()) + "-" + jar;
    }

    private static String sum(byte[] content) {
        CRC32 sum = new CRC32();
        sum.update(content);
        return Long.toHexString(sum.getValue());
    }

    /// Which jar this is; empty when the class path is not one jar.
    private static String jar() {
        File jar = new File(System.getProperty("java.class.path"));
        return jar.isFile() ? Long.toHexString(jar.length()) + "." + Long.toHexString(jar.lastModified()) + "-" : "";
    }
}
