package io.servery.supervisor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The descriptors of this process that matter to a test: sockets, pipes and what epoll, eventfd or pidfd_open gave. Files
/// are left out: the JVM opens jars when it likes.
public final class Census {
    private Census() {
    }

    public static List<String> descriptors() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path one : all) {
                addTo(found, one);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        found.sort(null);
        return found;
    }

    private static void addTo(List<String> found, Path one) throws IOException {
        try {
            String target = Files.readSymbolicLink(one).toString();
            if (target.startsWith("socket:") || target.startsWith("pipe:") || target.startsWith("anon_inode:")) {
                found.add(one.getFileName() + " " + target);
            }
        } catch (NoSuchFileException gone) {
            // Closed meanwhile.
        }
    }
}
