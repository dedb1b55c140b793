package io.servery.supervisor.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The limit of memory from what the kernel prints: cgroups(7), proc_pid_mountinfo(5), proc_meminfo(5).
class MemoryLimitTest {
    private static final String SECOND = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String FIRST = """
            34 29 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
            35 29 0:31 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory
            """;

    private static List<Path> files(String cgroup, String mountinfo) {
        return ControlGroups.memoryFiles(cgroup, mountinfo);
    }

    private static List<Path> paths(String... paths) {
        return List.of(paths).stream().map(Path::of).toList();
    }

    @Test
    void groupOfVersionTwoIsAskedWithAllAroundIt() {
        assertThat(files("0::/system.slice/servery.service\n", SECOND)).isEqualTo(
                paths("/sys/fs/cgroup/system.slice/servery.service/memory.max",
                        "/sys/fs/cgroup/system.slice/memory.max", "/sys/fs/cgroup/memory.max"));
    }

    @Test
    void groupInANamespaceOfItsOwnIsTheMountItself() {
        assertThat(files("0::/\n", SECOND)).isEqualTo(paths("/sys/fs/cgroup/memory.max"));
        assertThat(files("0::/../../other\n", SECOND)).isEqualTo(paths("/sys/fs/cgroup/memory.max"));
    }

    @Test
    void groupOfVersionOneIsThatOfItsMemoryController() {
        assertThat(files("5:cpu,cpuacct:/a\n4:memory:/b/c\n", FIRST)).isEqualTo(
                paths("/sys/fs/cgroup/memory/b/c/memory.limit_in_bytes",
                        "/sys/fs/cgroup/memory/b/memory.limit_in_bytes",
                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    }

    @Test
    void bothVersionsAreAsked() {
        assertThat(files("4:memory:/m\n0::/u\n", FIRST + SECOND)).isEqualTo(paths("/sys/fs/cgroup/u/memory.max",
                "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/m/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    }

    /// What a container of Docker sees of version 1: the path of the host, and a mount of that part alone.
    @Test
    void partThatIsMountedIsFoundBelowItsRoot() {
        String mount = "35 29 0:31 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n";

        assertThat(files("4:memory:/docker/abc/inner\n", mount)).isEqualTo(
                paths("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes",
                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
        assertThat(files("4:memory:/elsewhere\n", mount))
                .isEqualTo(paths("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    }

    @Test
    void linesThatSayNothingArePassedOver() {
        assertThat(files("", "")).isEmpty();
        assertThat(files("nonsense\n1:name=systemd:/\n", SECOND + "short - cgroup2\n\n")).isEmpty();
        assertThat(files("0::/\n", FIRST)).isEmpty();
    }

    @Test
    void limitIsANumberOrNone() {
        assertThat(MemoryLimit.limitBytes("536870912\n")).contains(536_870_912L);
        assertThat(MemoryLimit.limitBytes("max\n")).isEmpty();
        assertThat(MemoryLimit.limitBytes("9223372036854771712\n")).as("no limit, of version 1").isEmpty();
        assertThat(MemoryLimit.limitBytes("0\n")).isEmpty();
        assertThat(MemoryLimit.limitBytes("")).isEmpty();
    }

    @Test
    void memoryOfTheHostIsMemTotal() throws IOException {
        assertThat(MemoryLimit.physicalBytes("MemTotal:       24651712 kB\nMemFree:         1 kB\n"))
                .isEqualTo(24_651_712L << 10);
        assertThatThrownBy(() -> MemoryLimit.physicalBytes("MemFree: 1 kB\n"))
                .hasMessage("/proc/meminfo: found no MemTotal");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "/proc is Linux's")
    void thisProcessHasALimit() throws IOException {
        MemoryLimit limit = MemoryLimit.ofThisProcess();

        assertThat(limit.bytes()).isBetween(Runtime.getRuntime().maxMemory() / 2, 1L << 50);
        assertThat(Path.of(limit.source())).isReadable();
    }
}
