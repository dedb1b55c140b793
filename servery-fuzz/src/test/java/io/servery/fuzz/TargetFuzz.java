package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.Authority;
import io.servery.http.semantics.FilePath;
import io.servery.http.semantics.LocationPath;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.RequestTarget;
import io.servery.http.semantics.TargetPath;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Any text as a request target, and what becomes of its path for files.
class TargetFuzz {
    private static final Path ROOT = Path.of("/srv/site");

    @FuzzTest
    void target(byte[] bytes) {
        String raw = new String(bytes, ISO_8859_1);
        for (Method method : new Method[]{Method.GET, Method.OPTIONS, Method.CONNECT}) {
            judge(raw, Cost.within(100_000 + 1000L * bytes.length, () -> RequestTarget.parse(raw, method)));
        }
        judgePath(raw);
    }

    private static void judge(String raw, RequestTarget target) {
        switch (target) {
            case RequestTarget.Origin origin -> Invariant.same(raw, join(origin.path(), origin.query()),
                    () -> "origin form");
            case RequestTarget.Absolute absolute -> {
                Invariant.holds(absolute.path().startsWith("/"), () -> "a path without its slash: " + raw);
                judge(absolute.authority());
                String again = absolute.scheme() + "://" + absolute.authority()
                        + join(absolute.path(), absolute.query());
                Invariant.same(absolute, RequestTarget.parse(again, Method.GET), () -> "absolute form again");
            }
            case RequestTarget.AuthorityForm form -> {
                Invariant.holds(form.authority().hasPort(), () -> "CONNECT without a port: " + raw);
                judge(form.authority());
            }
            case RequestTarget.Asterisk _ -> Invariant.same("*", raw, () -> "asterisk form");
            case RequestTarget.Invalid _ -> {
                // Nothing more is known of it.
            }
        }
    }

    private static void judge(Authority authority) {
        String text = authority.toString();
        Invariant.holds(Authority.isValid(text), () -> "an authority that is none when it is written: " + text);
        Invariant.same(authority, Authority.parse(text), () -> "authority again");
        Invariant.holds(text.indexOf('@') < 0 && text.indexOf('/') < 0, () -> "a user or a path in " + text);
    }

    private static String join(String path, @Nullable String query) {
        return query == null ? path : path + "?" + query;
    }

    private static void judgePath(String raw) {
        String expected = ReferencePath.decode(raw);
        switch (Cost.within(100_000 + 1000L * raw.length(), () -> TargetPath.resolve(raw))) {
            case TargetPath.Rejected _ -> Invariant.holds(expected == null, () -> "path refused: " + raw);
            case TargetPath.Accepted accepted -> {
                Invariant.same(expected == null ? "(refused)" : expected, accepted.decoded(), () -> "decoded path");
                Invariant.same(raw.endsWith("/"), accepted.directory(), () -> "directory");
                judgeFile(accepted);
            }
        }
    }

    private static void judgeFile(TargetPath.Accepted accepted) {
        switch (FilePath.of(accepted, false)) {
            case FilePath.Named named -> {
                String path = named.path();
                Path file = ROOT.resolve(path.substring(1)).normalize();
                Invariant.holds(file.startsWith(ROOT), () -> "a file outside the root: " + path);
                Invariant.holds(path.startsWith("/") && !path.contains("//"), () -> "not normal: " + path);
                String[] names = path.split("/", -1);
                Invariant.holds(names.length <= FilePath.DEPTH_MAX + 2, () -> "too deep: " + path);
                Invariant.holds(Arrays.stream(names).noneMatch(n -> n.startsWith(".") && !n.equals(".well-known")),
                        () -> "a hidden name: " + path);
                Invariant.same(path.endsWith("/"), named.directory(), () -> "directory of " + path);
                judgeLocation(path);
            }
            case FilePath.Hidden _ -> Invariant.holds(accepted.decoded().contains("/."), () -> "hidden: " + accepted);
            case FilePath.Rejected _ -> {
                // A separator in a name, or too deep.
            }
        }
    }

    /// A redirect leads to the same path, on the same host, and starts no other field.
    private static void judgeLocation(String path) {
        String location = LocationPath.ofDirectory(path, null);
        Invariant.holds(location.chars().allMatch(c -> c > 0x20 && c < 0x7f), () -> "a character in " + location);
        Invariant.holds(location.startsWith("/") && !location.startsWith("//"), () -> "another host: " + location);
        String back = ReferencePath.decode(location);
        String directory = path.endsWith("/") ? path : path + "/";
        Invariant.same(directory, back == null ? "(refused)" : back, () -> "location of " + path);
    }
}
