package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service with a root file system that is read-only, but for what docs/operating/containers.md says.
class ReadOnlyRootTest {
    private static final Duration EXIT = Duration.ofSeconds(20);
    /// The folder of the test, and the jar, may be below /tmp, where there is nothing else that is not of this service.
    private static final String READ_ONLY = """
            mkdir -m 700 "$0/run" "$0/state"
            jar=$(dirname "$3")
            mount -t tmpfs tmpfs /mnt
            for kept in "$0" "$jar"; do
                mkdir -p "/mnt$kept"
                mount --bind "$kept" "/mnt$kept"
            done
            mount -t tmpfs -o noexec tmpfs /tmp
            for kept in "$0" "$jar"; do
                [ -d "$kept" ] || mkdir -p "$kept"
                mount --move "/mnt$kept" "$kept"
                mount -o remount,bind,ro "$kept"
            done
            umount /mnt
            awk '$2 !~ "^/(proc|dev|sys|tmp)" {print $2}' /proc/mounts | while read -r point; do
                mount -o remount,bind,ro "$point"
            done
            for writable in run state; do
                mount --bind "$0/$writable" "$0/$writable"
                mount -o remount,bind,rw "$0/$writable"
            done
            if (: > "$0/written") 2>/dev/null || (: > /written) 2>/dev/null; then exit 99; fi
            """;

    @TempDir
    Path folder;

    @Test
    void serviceStartsServesReloadsAndStopsAndWritesNothingElsewhere() throws IOException {
        Configuration usual = Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("workers = 2");
        try (Service service = Service.start(usual, Namespaces.mounts(READ_ONLY))) {
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            List<Long> pids = service.workerPids();
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();
            service.settled(2);
            assertThat(service.workerPids()).doesNotContainAnyElementsOf(pids);
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(service.events("natives.rejected", 0)).isEmpty();
            assertThat(service.events("aot.rejected", 0)).isEmpty();
            assertThat(service.errorText()).doesNotContain("\\tat ").doesNotContain("Read-only");
            assertThat(temporaryFiles(service)).as("in /tmp").allMatch(name -> name.startsWith("hsperfdata_")
                    || folder.startsWith("/tmp/" + name) || ServeryProcess.JAR.startsWith("/tmp/" + name));
            service.signal("TERM");
            assertThat(service.exitCode(EXIT)).as(service::errorText).isZero();
            assertThat(service.survivors()).isEmpty();
            assertThat(service.runtimeFiles()).isEmpty();
        }
    }

    private static List<String> temporaryFiles(Service service) {
        String[] names = Path.of("/proc", Long.toString(service.parent().pid()), "root/tmp").toFile().list();
        assertThat(names).isNotNull();
        return List.of(names);
    }
}
