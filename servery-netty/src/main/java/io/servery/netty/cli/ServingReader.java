package io.servery.netty.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the command lines that serve without picocli, which takes a third of a start: its classes are of Java 5, so no
/// ahead-of-time cache holds them (docs/adr/0015).
///
/// It knows the plain forms alone, `--port 80`, `--port=80`, `-p 80`, `--spa`, `--no-spa`, and says of no word that it is
/// wrong: where there is anything else, {@link CommandLineInterface} judges all of it.
final class ServingReader {
    private final boolean serve;
    private final String[] words;
    private final Map<ServingOption, List<String>> values = new EnumMap<>(ServingOption.class);
    private @Nullable String directory;
    private int at;

    private ServingReader(boolean serve, String[] words, int begin) {
        this.serve = serve;
        this.words = words;
        this.at = begin;
    }

    /// What the words say; nothing when they are not plain, or of another command.
    static @Nullable ServingWords read(String... words) {
        if (words.length == 0) {
            return null;
        }
        boolean serve = words[0].equals("serve");
        boolean named = serve || words[0].equals("run");
        return new ServingReader(serve, words, named ? 1 : 0).read();
    }

    private @Nullable ServingWords read() {
        while (at < words.length) {
            String word = words[at];
            at++;
            if (!(word.startsWith("-") ? option(word) : isDirectory(word))) {
                return null;
            }
        }
        return serve || values.containsKey(ServingOption.CONFIG) ? new ServingWords(serve, values, directory) : null;
    }

    private boolean isDirectory(String word) {
        if (!serve || directory != null || word.isEmpty()) {
            return false;
        }
        directory = word;
        return true;
    }

    private boolean option(String word) {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        String name = equals < 0 ? word : word.substring(0, equals);
        for (ServingOption option : ServingOption.values()) {
            if (option == ServingOption.CONFIG ? serve : !serve && !ServingOption.OF_RUN.contains(option)) {
                continue;
            }
            if (option.isNamed(name)) {
                return option.takesValue()
                        ? valued(option, equals < 0 ? next() : word.substring(equals + 1))
                        : equals < 0 && once(option, "true");
            }
            if (!option.negated().isEmpty() && name.equals(option.negated())) {
                return equals < 0 && once(option, "false");
            }
        }
        return false;
    }

    /// The word after an option; empty when there is none, or one that may be an option.
    private String next() {
        if (at == words.length || words[at].startsWith("-")) {
            return "";
        }
        at++;
        return words[at - 1];
    }

    private boolean valued(ServingOption option, String value) {
        if (value.isEmpty() || option == ServingOption.SET && Assignment.setting(value) == null) {
            return false;
        }
        if (option.takes() == ServingOption.Takes.VALUE) {
            return once(option, value);
        }
        values.computeIfAbsent(option, _ -> new ArrayList<>()).add(value);
        return true;
    }

    private boolean once(ServingOption option, String value) {
        return values.put(option, List.of(value)) == null;
    }
}
