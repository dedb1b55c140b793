package io.servery.supervisor.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Who the service runs as: capabilities(7), and /proc/PID/status as the witness.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class PrivilegesTest {
    private static final String NO_CAPABILITY = "0000000000000000";
    private static final String NET_BIND_SERVICE = "0000000000000400";
    private static final String USER = "nobody";

    @TempDir
    Path folder;

    private static Outcome<Privileges> of(String user, String group) {
        return Privileges.of(Optional.ofNullable(user), Optional.ofNullable(group));
    }

    @Test
    void nobodyElseIsWhoThisProcessIs() {
        Accounts.User own = Accounts.own();

        assertThat(of(null, null)).isEqualTo(new Outcome.Given<>(new Privileges.Kept(own.uid(), own.gid())));
    }

    @Test
    void userThatThisProcessIsAlreadyNeedsNoRoot() {
        Accounts.User own = Accounts.own();
        String name = System.getProperty("user.name");
        assumeTrue(own.equals(Accounts.user(name)), "this user has another group now, or no name");

        assertThat(of(name, null)).isEqualTo(new Outcome.Given<>(new Privileges.Kept(own.uid(), own.gid())));
    }

    @Test
    void unknownUserAndGroupAreErrorsOfTheConfiguration() {
        assertThat(of("no-such-user", null))
                .isEqualTo(new Outcome.Refused<>("runtime.user: found `no-such-user`, which "
                        + "this host does not know; expected a name of getent passwd", ExitCode.CONFIGURATION));
        assertThat(of(null, "no-such-group")).isEqualTo(new Outcome.Refused<>("runtime.group: found `no-such-group`, "
                + "which this host does not know; expected a name of getent group", ExitCode.CONFIGURATION));
    }

    private void asRoot() {
        assumeTrue(Accounts.own().uid() == 0, "only root can become another user");
        assumeTrue(Accounts.user(USER) != null, "this host has no user nobody");
    }

    private List<String> run(List<String> command) throws Exception {
        Path out = folder.resolve("out");
        Process program = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        program.getOutputStream().close();
        program.waitFor();
        return Files.readAllLines(out);
    }

    private static String value(List<String> lines, String who, String name) {
        return lines.stream().filter(line -> line.startsWith(who + " " + name + ": "))
                .map(line -> line.substring(who.length() + name.length() + 3).strip()).findFirst()
                .orElseThrow(() -> new AssertionError(who + " " + name + " in " + lines));
    }

    @Test
    void rootKeepsTheBindingOfPortsAloneAndItsChildrenNothing() throws Exception {
        asRoot();
        Accounts.User nobody = Accounts.user(USER);
        List<String> lines = run(ChildJvm.command(folder, PrivilegesProgram.class, USER));
        String uid = nobody.uid() + "";

        for (String who : List.of("loop", "other", "child")) {
            assertThat(value(lines, who, "Uid").split("\\s+", -1)).as(who).containsOnly(uid);
            assertThat(value(lines, who, "Gid").split("\\s+", -1)).as(who).containsOnly(nobody.gid() + "");
            assertThat(value(lines, who, "Groups")).as(who).isEqualTo(nobody.gid() + "");
            assertThat(value(lines, who, "CapInh")).as(who).isEqualTo(NO_CAPABILITY);
            assertThat(value(lines, who, "CapAmb")).as(who).isEqualTo(NO_CAPABILITY);
        }
        assertThat(value(lines, "loop", "CapEff")).isEqualTo(NET_BIND_SERVICE);
        assertThat(value(lines, "loop", "CapPrm")).isEqualTo(NET_BIND_SERVICE);
        assertThat(value(lines, "loop", "CapBnd")).isEqualTo(NO_CAPABILITY);
        for (String who : List.of("other", "child")) {
            assertThat(value(lines, who, "CapEff")).as(who).isEqualTo(NO_CAPABILITY);
            assertThat(value(lines, who, "CapPrm")).as(who).isEqualTo(NO_CAPABILITY);
        }
        assertThat(value(lines, "child", "CapBnd")).isEqualTo(NO_CAPABILITY);
        assertThat(value(lines, "child", "NoNewPrivs")).isEqualTo("1");
        assertThat(lines).contains("bind ok", "never root again");
    }

    @Test
    void whoIsNotRootCannotBecomeAnother() throws Exception {
        asRoot();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
        Accounts.User nobody = Accounts.user(USER);
        open(folder);
        List<String> command = new ArrayList<>(List.of("/usr/bin/setpriv", "--reuid", nobody.uid() + "",
                "--regid", nobody.gid() + "", "--clear-groups"));
        command.addAll(ChildJvm.command(folder, Asking.class));

        assertThat(run(command)).containsExactly(
                "Refused[message=runtime.user: found user 0 and group 0, but this process is user " + nobody.uid()
                        + " and group " + nobody.gid()
                        + "; expected the same, or a start as root, exitCode=PERMISSION]",
                "Given[value=Kept[uid=" + nobody.uid() + ", gid=" + nobody.gid() + "]]");
    }

    /// A program that asks for root, then for whom it is already.
    static final class Asking {
        private Asking() {
        }

        public static void main(String[] arguments) {
            System.out.println(of("root", null));
            System.out.println(of(USER, null));
        }
    }

    /// The user that the program is reads its jars.
    private static void open(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder,
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
