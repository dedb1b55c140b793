package io.servery.netty.files.open;

import io.servery.http.exchange.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A directory beneath a root, to be read once.
///
/// *Owner*: its holder, one thread at a time.
public final class OpenedDirectory {
    private static final int READ_BYTES = 32 * 1024;
    // struct linux_dirent64: inode and offset of 8 bytes each, the record's length of 2, the type of 1, the name.
    private static final int RECORD_LENGTH_AT = 16;
    private static final int NAME_AT = 19;
    /// An entry without its name: three objects, and its places in the lists through which it goes on its way to a page.
    private static final int ENTRY_BYTES = 128;

    private final Calls calls;
    private final Beneath beneath;
    private final byte[] path;
    private final int descriptor;
    private final boolean readable;
    private boolean closed;

    OpenedDirectory(Calls calls, Beneath beneath, byte[] path, int descriptor, boolean readable) {
        this.calls = calls;
        this.beneath = beneath;
        this.path = path;
        this.descriptor = descriptor;
        this.readable = readable;
    }

    /// How far reading goes; past any of it the rest is left out, and said to be.
    ///
    /// @param entriesMax how many entries are kept
    /// @param bytesMax how much memory they take
    /// @param namesMax how many names are read, wanted or not
    /// @param late asked before each entry: whether time is up
    public record Bounds(int entriesMax, long bytesMax, int namesMax, BooleanSupplier late) {
        private boolean passed(int names) {
            return names > namesMax || late.getAsBoolean();
        }
    }

    /// The entries that are kept, and what they take.
    private static final class Entries {
        private final List<DirectoryEntry> all = new ArrayList<>();
        private long bytes;

        /// False when there is no room for it.
        boolean add(DirectoryEntry entry, Bounds bounds) {
            // The JDK keeps a character in one byte where all of a text allow it, else in two.
            bytes += ENTRY_BYTES + 2L * entry.name().length();
            return all.size() < bounds.entriesMax() && bytes <= bounds.bytesMax() && all.add(entry);
        }

        Read.Done done(boolean complete) {
            return new Read.Done(new DirectoryEntries(all, complete));
        }
    }

    /// What came of reading a directory.
    public sealed interface Read {
        record Done(DirectoryEntries entries) implements Read {
        }

        record Refused(Refusal refusal, int errno) implements Read {
        }
    }

    /// Reads the files and directories that would be served: a link counts as what it leads to under the root's policy,
    /// and what leads nowhere, or is neither file nor directory, is left out.
    ///
    /// @param wanted by name; what is not wanted is not looked at, and counts as a name alone
    public Read read(Predicate<String> wanted, Bounds bounds) {
        if (!readable) {
            return new Read.Refused(Refusal.FORBIDDEN, Errno.EACCES);
        }
        Entries entries = new Entries();
        byte[] records = new byte[READ_BYTES];
        ByteBuffer numbers = ByteBuffer.wrap(records).order(ByteOrder.nativeOrder());
        int names = 0;
        int length = calls.getdents(descriptor, records);
        while (length > 0) {
            for (int at = 0; at < length; at += numbers.getShort(at + RECORD_LENGTH_AT)) {
                byte[] name = name(records, at + NAME_AT);
                names++;
                if (bounds.passed(names) || !accept(name, wanted, entries, bounds)) {
                    return entries.done(false);
                }
            }
            length = calls.getdents(descriptor, records);
        }
        return length == 0
                ? entries.done(true)
                : new Read.Refused(Errno.refusal(-length), -length);
    }

    /// Gives the descriptor back.
    public void close() {
        if (closed) {
            throw new IllegalStateException("directory: closed twice");
        }
        closed = true;
        calls.close(descriptor);
    }

    /// Adds the entry if it is served; false when there is no room for it.
    private boolean accept(byte[] name, Predicate<String> wanted, Entries entries, Bounds bounds) {
        String text = new String(name, StandardCharsets.UTF_8);
        if (text.equals(".") || text.equals("..") || !wanted.test(text)) {
            return true;
        }
        Attributes attributes = new Attributes();
        boolean known = calls.stat(descriptor, name, attributes) >= 0
                && (!attributes.link() || beneath.stat(join(name), attributes) >= 0);
        if (!known || !attributes.regular() && !attributes.directory()) {
            return true;
        }
        boolean directory = attributes.directory();
        return entries.add(new DirectoryEntry(text, utf8(name), directory, directory ? 0 : attributes.size,
                attributes.modifiedSecond), bounds);
    }

    private byte[] join(byte[] name) {
        if (path.length == 0) {
            return name;
        }
        byte[] joined = Arrays.copyOf(path, path.length + 1 + name.length);
        joined[path.length] = '/';
        System.arraycopy(name, 0, joined, path.length + 1, name.length);
        return joined;
    }

    private static byte[] name(byte[] records, int from) {
        int end = from;
        while (records[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(records, from, end);
    }

    private static boolean utf8(byte[] name) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
