package io.servery.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The search for a new enough JDK, in the order in which a person would expect one to be taken: the one named for
/// Servery, the one named for Java, then the usual directories.
///
/// `SERVERY_JDK_PATH`, directories separated by colons, replaces the usual ones.
final class JdkSearch {
    static final String NAMED = "SERVERY_JAVA_HOME";
    static final String DIRECTORIES = "SERVERY_JDK_PATH";
    private static final String JAVA_HOME = "JAVA_HOME";

    /// Within a directory the lowest sufficient feature release (the one that is tested), of that the newest update.
    private static final Comparator<Jdk> PREFERENCE = Comparator.<Jdk>comparingInt(jdk -> jdk.version().feature())
            .thenComparing(Jdk::version, Comparator.reverseOrder()).thenComparing(Jdk::home);

    private final int requiredFeature;
    private final Map<String, String> environment;
    private final List<Path> directories;

    JdkSearch(int requiredFeature, Map<String, String> environment, String userHome) {
        this.requiredFeature = requiredFeature;
        this.environment = environment;
        this.directories = directories(environment.get(DIRECTORIES), Path.of(userHome));
    }

    private static List<Path> directories(@Nullable String override, Path home) {
        if (override == null) {
            return List.of(Path.of("/usr/lib/jvm"), home.resolve(".sdkman/candidates/java"), home.resolve(".jdks"),
                    Path.of("/opt"));
        }
        List<Path> named = new ArrayList<>();
        for (String directory : override.split(":", -1)) {
            if (!directory.isEmpty()) {
                named.add(Path.of(directory));
            }
        }
        return named;
    }

    Result run() {
        String named = environment.get(NAMED);
        if (named != null && !named.isEmpty()) {
            // Whoever names one means that one: quietly taking another would hide the mistake.
            return named(named);
        }
        Jdk javaHome = sufficient(environment.getOrDefault(JAVA_HOME, ""));
        if (javaHome != null) {
            return new Result(javaHome, "");
        }
        for (Path directory : directories) {
            Optional<Jdk> best = list(directory).stream().min(PREFERENCE);
            if (best.isPresent()) {
                return new Result(best.get(), "");
            }
        }
        String looked = directories.stream().map(Path::toString).collect(Collectors.joining(", "));
        return new Result(null,
                "none in " + JAVA_HOME + ", " + looked + "; install one, or name it in " + NAMED);
    }

    private Result named(String home) {
        Jdk jdk = sufficient(home);
        return new Result(jdk, jdk != null ? "" : NAMED + " names " + home + ", which is not one");
    }

    private List<Jdk> list(Path directory) {
        List<Jdk> found = new ArrayList<>();
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(directory)) {
            for (Path home : homes) {
                Jdk jdk = sufficient(home.toString());
                if (jdk != null) {
                    found.add(jdk);
                }
            }
        } catch (IOException absentOrUnreadable) {
            return found;
        }
        return found;
    }

    private @Nullable Jdk sufficient(String home) {
        if (home.isEmpty()) {
            return null;
        }
        try {
            Jdk jdk = Jdk.at(Path.of(home));
            return jdk != null && jdk.version().feature() >= requiredFeature ? jdk : null;
        } catch (InvalidPathException notAPath) {
            return null;
        }
    }

    /// What was found, or why nothing was.
    static final class Result {
        private final @Nullable Jdk jdk;
        private final String explanation;

        Result(@Nullable Jdk jdk, String explanation) {
            this.jdk = jdk;
            this.explanation = explanation;
        }

        @Nullable
        Jdk jdk() {
            return jdk;
        }

        String explanation() {
            return explanation;
        }
    }
}
