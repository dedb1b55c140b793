package io.servery.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/// One case of the corpus: a request file and what it must get.
///
/// @param name the files' name without its ending
/// @param request the content of the `.http` file, still in notation
record CorpusCase(String name, String request, Expectation expectation) {
    static final Path FOLDER = Path.of("src", "test", "resources", "http1");

    /// Every case, in the order of the names.
    static List<CorpusCase> all() {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".http")).sorted()
                    .map(name -> load(name.substring(0, name.length() - 5))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CorpusCase load(String name) {
        try {
            return new CorpusCase(name, read(name + ".http"), Expectation.parse(read(name + ".expect")));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(FOLDER.resolve(file), StandardCharsets.UTF_8);
    }

    List<byte[]> pieces(UnaryOperator<String> values) {
        return Notation.pieces(request, values);
    }
}
