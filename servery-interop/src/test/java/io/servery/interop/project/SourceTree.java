package io.servery.interop.project;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The repository's own files: without what is built, generated or Git's.
final class SourceTree {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".vscode", ".cifuzz-corpus");
    /// Surefire runs a module's tests in the module's directory.
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private SourceTree() {
    }

    static List<Path> files(String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean skipped = SKIPPED.contains(directory.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(suffix)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(null);
        return found;
    }

    static Path file(String name) {
        return ROOT.resolve(name);
    }

    static String text(String name) throws IOException {
        return Files.readString(file(name));
    }

    static String nameOf(Path file) {
        return ROOT.relativize(file).toString();
    }
}
