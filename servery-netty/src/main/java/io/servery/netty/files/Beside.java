package io.servery.netty.files;

import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.open.FileIdentity;
import io.servery.netty.files.open.Opened;
import io.servery.netty.files.open.OpenedDirectory;
import io.servery.netty.files.open.OpenedFile;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The compressed forms of a file that lie beside it, `page.html.br` beside `page.html`: opened beneath the root as the file
/// itself is, and only what is regular and not older than the file, for an older one may have other content.
///
/// *Owner*: the filesystem lane; opening blocks.
final class Beside implements AutoCloseable {
    private final Map<ContentCoding, OpenedFile> files = new EnumMap<>(ContentCoding.class);

    private Beside() {
    }

    /// Opens all that there are.
    ///
    /// @param path of the plain file, relative to the root
    static Beside open(FileTree tree, String path, FileIdentity plain) {
        Beside beside = new Beside();
        if (tree.policy().looksBeside(path)) {
            for (int i = 0; i < ContentCoding.total(); i++) {
                OpenedFile file = open(tree, path, plain, ContentCoding.at(i));
                if (file != null) {
                    beside.files.put(ContentCoding.at(i), file);
                }
            }
        }
        return beside;
    }

    /// Opens the one of this coding; null without one that may be served.
    static @Nullable OpenedFile open(FileTree tree, String path, FileIdentity plain, ContentCoding coding) {
        return switch (tree.root().open(path + suffix(coding))) {
            case Opened.File(OpenedFile file) -> {
                if (file.identity().modified().compareTo(plain.modified()) >= 0) {
                    yield file;
                }
                file.close();
                yield null;
            }
            case Opened.Directory(OpenedDirectory directory) -> {
                directory.close();
                yield null;
            }
            case Opened.Refused _ -> null;
        };
    }

    private static String suffix(ContentCoding coding) {
        return switch (coding) {
            case ZSTD -> ".zst";
            case BR -> ".br";
            case GZIP -> ".gz";
        };
    }

    Map<ContentCoding, OpenedFile> files() {
        return files;
    }

    Map<ContentCoding, FileIdentity> identities() {
        Map<ContentCoding, FileIdentity> identities = new EnumMap<>(ContentCoding.class);
        files.forEach((coding, file) -> identities.put(coding, file.identity()));
        return identities;
    }

    /// Whether none is larger.
    boolean within(long bytesMax) {
        return opened().stream().allMatch(file -> file.identity().size() <= bytesMax);
    }

    private Collection<OpenedFile> opened() {
        return files.values();
    }

    @Override
    public void close() {
        opened().forEach(OpenedFile::close);
    }
}
