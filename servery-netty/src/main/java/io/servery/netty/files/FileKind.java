package io.servery.netty.files;

import java.util.Locale;
import java.util.Set;

/// What a listing's picture shows of a file, by the extension of its name.
enum FileKind {
    ARCHIVE,
    AUDIO,
    CODE,
    DATA,
    FILE,
    IMAGE,
    TEXT,
    VIDEO;

    private static final Set<String> ARCHIVES = Set.of("7z", "br", "bz2", "deb", "gz", "iso", "jar", "lz4", "rar",
            "rpm",
            "tar", "tgz", "war", "whl", "xz", "zip", "zst");
    private static final Set<String> CODES = Set.of("c", "cc", "cpp", "cs", "css", "go", "h", "htm", "html", "java",
            "js", "json", "kt", "mjs", "php", "pl", "py", "rb", "rs", "sh", "sql", "toml", "ts", "tsx", "wasm", "xhtml",
            "xml", "yaml", "yml");
    private static final Set<String> DATAS = Set.of("csv", "db", "jsonl", "ndjson", "ods", "parquet", "sqlite", "tsv",
            "xls", "xlsx");
    private static final Set<String> TEXTS = Set.of("adoc", "doc", "docx", "epub", "log", "odt", "pdf", "rst", "rtf");

    private final String id = name().toLowerCase(Locale.ROOT);

    /// Its picture's id in a page.
    String id() {
        return id;
    }

    static FileKind of(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        if (ARCHIVES.contains(extension)) {
            return ARCHIVE;
        }
        if (CODES.contains(extension)) {
            return CODE;
        }
        if (DATAS.contains(extension)) {
            return DATA;
        }
        return TEXTS.contains(extension) ? TEXT : byMediaType(MediaTypes.of(name));
    }

    private static FileKind byMediaType(String type) {
        return switch (type.substring(0, type.indexOf('/'))) {
            case "audio" -> AUDIO;
            case "image" -> IMAGE;
            case "text" -> TEXT;
            case "video" -> VIDEO;
            default -> FILE;
        };
    }
}
