package io.servery.acme.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A disk whose power can go after every operation: all that a medium may then hold, as fsync(2) allows it.
///
/// Content and names that were not synced may be there or not, each for itself and in any order; content may also be there in
/// part. What was synced is there.
final class PowerCutDisk implements Disk {

    /// A file's content as it is, and whether the medium has it.
    private static final class Inode {
        private final byte[] content;
        private boolean synced;

        private Inode(byte[] content) {
            this.content = content;
        }
    }

    private final Map<Path, Inode> names = new HashMap<>();
    /// What each name may mean on the medium: absent, or one of these.
    private final Map<Path, List<Optional<Inode>>> possible = new HashMap<>();
    private final List<Map<Path, List<Optional<byte[]>>>> cuts = new ArrayList<>();

    @Override
    public void create(Path file, byte[] content) {
        name(file, Optional.of(new Inode(content)));
    }

    @Override
    public void syncFile(Path file) {
        names.get(file).synced = true;
        cut();
    }

    @Override
    public void syncDirectory(Path directory) {
        possible.replaceAll((path, _) -> new ArrayList<>(List.of(Optional.ofNullable(names.get(path)))));
        cut();
    }

    @Override
    public void rename(Path from, Path to) {
        Inode moved = names.get(from);
        names.remove(from);
        possible.computeIfAbsent(from, _ -> new ArrayList<>(List.of(Optional.empty()))).add(Optional.empty());
        name(to, Optional.of(moved));
    }

    @Override
    public void deleteIfPresent(Path file) {
        name(file, Optional.empty());
    }

    /// For each moment at which the power may go, what each name may hold then.
    List<Map<Path, List<Optional<byte[]>>>> cuts() {
        return cuts;
    }

    private void name(Path file, Optional<Inode> inode) {
        inode.ifPresentOrElse(one -> names.put(file, one), () -> names.remove(file));
        possible.computeIfAbsent(file, _ -> new ArrayList<>(List.of(Optional.empty()))).add(inode);
        cut();
    }

    private void cut() {
        Map<Path, List<Optional<byte[]>>> held = new HashMap<>();
        possible.forEach((path, inodes) -> held.put(path, inodes.stream().flatMap(one -> contents(one).stream())
                .toList()));
        cuts.add(held);
    }

    private static List<Optional<byte[]>> contents(Optional<Inode> inode) {
        if (inode.isEmpty() || inode.get().synced) {
            return List.of(inode.map(one -> one.content));
        }
        byte[] content = inode.get().content;
        return List.of(Optional.of(new byte[0]), Optional.of(Arrays.copyOf(content, content.length / 2)),
                Optional.of(new byte[content.length]), Optional.of(content));
    }
}
