package io.servery.supervisor.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the control groups of a process say how much memory it may use: cgroups(7), proc_pid_mountinfo(5).
final class ControlGroups {
    /// One hierarchy as it is mounted.
    ///
    /// @param root the group that is seen at the mount point: not `/` where a container shows a part
    private record Mount(Path root, Path point, boolean second) {
    }

    private ControlGroups() {
    }

    /// The files that may exist, of the own group and of each around it; version 2 first.
    ///
    /// @param cgroup the content of /proc/self/cgroup
    /// @param mountinfo the content of /proc/self/mountinfo
    static List<Path> memoryFiles(String cgroup, String mountinfo) {
        List<Path> files = new ArrayList<>();
        for (boolean second : new boolean[]{true, false}) {
            Optional<Path> group = group(cgroup, second);
            Optional<Mount> mount = mountinfo.lines().map(ControlGroups::mount)
                    .filter(found -> found != null && found.second() == second).findFirst();
            if (group.isPresent() && mount.isPresent()) {
                addUpwards(files, mount.get(), group.get());
            }
        }
        return files;
    }

    private static void addUpwards(List<Path> files, Mount mount, Path group) {
        // In a namespace of its own a process is told of groups that its mount does not show.
        boolean shown = group.equals(group.normalize()) && group.startsWith(mount.root());
        Path below = shown ? mount.root().relativize(group) : Path.of("");
        String name = mount.second() ? "memory.max" : "memory.limit_in_bytes";
        Path at = mount.point().resolve(below).normalize();
        while (at != null && at.startsWith(mount.point())) {
            files.add(at.resolve(name));
            at = at.getParent();
        }
    }

    /// `0::/path` of version 2, `4:memory:/path` of version 1.
    private static Optional<Path> group(String cgroup, boolean second) {
        return cgroup.lines().map(line -> line.split(":", 3)).filter(fields -> fields.length == 3)
                .filter(fields -> second
                        ? fields[0].equals("0") && fields[1].isEmpty()
                        : Set.of(fields[1].split(",", -1)).contains("memory"))
                .map(fields -> Path.of(fields[2])).findFirst();
    }

    private static @Nullable Mount mount(String line) {
        String[] halves = line.split(" - ", 2);
        String[] before = halves[0].split(" ", -1);
        String[] after = halves.length == 2 ? halves[1].split(" ", -1) : new String[0];
        if (before.length < 5 || after.length < 3) {
            return null;
        }
        boolean second = after[0].equals("cgroup2");
        boolean first = after[0].equals("cgroup") && List.of(after[2].split(",", -1)).contains("memory");
        return second || first ? new Mount(Path.of(before[3]), Path.of(before[4]), second) : null;
    }
}
