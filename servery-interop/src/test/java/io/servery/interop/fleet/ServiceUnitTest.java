package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.interop.ServeryProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The units of docs/operating, as systemd itself reads them.
class ServiceUnitTest {
    private static final Path OPERATING = Path.of("..", "docs", "operating");
    private static final Pattern TOLD = Pattern.compile("calls the exposure ([0-9.]+) ");
    private static final Pattern FOUND = Pattern.compile("Overall exposure level for servery.service: ([0-9.]+) ");

    @TempDir
    Path folder;

    /// With the Java of this machine: a program that is not there is a fault of a unit.
    @BeforeEach
    void copy() throws IOException {
        for (String name : List.of("servery.service", "servery.socket")) {
            Files.writeString(folder.resolve(name), Files.readString(OPERATING.resolve(name)).replace("/usr/bin/java",
                    ServeryProcess.java()));
        }
    }

    private String systemd(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("systemd-analyze", "--no-pager"));
        command.addAll(List.of(words));
        command.add(folder.resolve("servery.service").toString());
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            return said;
        } catch (IOException e) {
            assumeTrue(false, "no systemd here: " + e.getMessage());
            throw e;
        }
    }

    /// It says nothing where it knows every line and every value; a line that it does not know is no failure to it.
    @Test
    void systemdKnowsEveryLine() throws Exception {
        assertThat(systemd("verify", folder.resolve("servery.socket").toString())).isEmpty();
    }

    /// A line that is lost is exposure; what another systemd counts less is no fault.
    @Test
    void exposureIsNotMoreThanThePageSays() throws Exception {
        Matcher told = TOLD.matcher(Files.readString(OPERATING.resolve("systemd.md")));
        Matcher found = FOUND.matcher(systemd("security", "--offline=true"));
        assertThat(told.find() && found.find()).isTrue();
        assertThat(Double.parseDouble(found.group(1))).isLessThanOrEqualTo(Double.parseDouble(told.group(1)));
    }
}
