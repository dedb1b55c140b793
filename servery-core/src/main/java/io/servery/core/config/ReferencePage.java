package io.servery.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reference page of all keys, from the key table.
final class ReferencePage {
    private static final String HEAD = """
            # Configuration reference

            <!-- Generated from the key table. Do not edit:
            `mvn -q test -pl servery-core -Dtest=ReferencePageTest -Dservery.reference=write` writes it. -->

            One file, `servery.toml`, describes one service. Layers, from weak to strong: built-in defaults, the profile, the
            file, the environment, the command line. A file begins with `schema_version = 1`; relative paths in it are relative
            to its own directory, relative paths elsewhere to the working directory.

            | written | means |
            | --- | --- |
            | a time | a number of seconds, or a string with a unit: `"250ms"`, `"30s"`, `"5m"`, `"2h"`, `"90d"` |
            | a size | a number of bytes, or a string with a unit: `"64KiB"`, `"10MiB"`, `"1GB"` (B, KB, MB, GB, TB, KiB, MiB, GiB, TiB) |
            | a secret | a reference, `{ file = "/run/secrets/x" }` or `{ env = "NAME" }`; in production the file must not be readable by group or others |
            | in the environment | `SERVERY__RESOURCES__MAX_CONNECTIONS=1024`; arrays and tables as JSON; a secret also as `SERVERY__METRICS__TOKEN__FILE=…` |
            | on the command line | `--set resources.max_connections=1024`; bare strings, TOML syntax for arrays and tables |

            *Change* says what a changed value needs: *hot* is applied to the running generation, *generation* means that a
            reload starts new workers, *restart* that a reload refuses it.

            A key that is *not yet available* is refused, never ignored. Where the page names a value that says what happens
            today anyway, that value alone is accepted.
            """;

    private final StringBuilder page = new StringBuilder();

    private ReferencePage() {
    }

    static String markdown() {
        ReferencePage reference = new ReferencePage();
        reference.write();
        return reference.page.toString();
    }

    private void write() {
        page.append(HEAD);
        String table = null;
        for (Key<?> key : KeyTable.single()) {
            if (!key.table().equals(table)) {
                table = key.table();
                head(table.isEmpty() ? "Top level" : "`[" + table + "]`");
            }
            row(key, key.name());
        }
        for (String repeated : KeyTable.repeated()) {
            head("`[[" + repeated + "]]`");
            KeyTable.element(repeated).forEach(key -> row(key, key.name()));
        }
        page.append("\n## Tables that come later\n\n");
        KeyTable.LATER_TABLES.forEach(later -> page.append("- `[").append(later).append("]`\n"));
        page.append("\nProfile `lan` and the modes `java`, `wsgi`, `asgi`, `proxy` and `cgi` come later too.\n");
    }

    private void head(String title) {
        page.append("\n## ").append(title)
                .append("\n\n| key | value | default | change | |\n| --- | --- | --- | --- | --- |\n");
    }

    private void row(Key<?> key, String name) {
        List<String> cells = List.of("`" + name + "`", key.type().description(), byDefault(key), key.change().word(),
                key.doc() + availability(key));
        page.append("| ").append(String.join(" | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList()))
                .append(" |\n");
    }

    private static String byDefault(Key<?> key) {
        String local = words(key, Profile.LOCAL);
        String production = words(key, Profile.PRODUCTION);
        return local.equals(production) ? local : local + " in local, " + production + " in production";
    }

    private static String words(Key<?> key, Profile profile) {
        @Nullable
        String words = key.byDefault().of(profile);
        return words == null ? "none" : "`" + words + "`";
    }

    private static String availability(Key<?> key) {
        if (key.available()) {
            return "";
        }
        return key.inertWords().map(words -> " *Not yet available; only `" + words + "` is accepted.*")
                .orElse(" *Not yet available.*");
    }
}
