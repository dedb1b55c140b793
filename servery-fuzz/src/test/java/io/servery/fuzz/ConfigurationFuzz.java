package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Metrics;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.WorkerConfiguration;
import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Any bytes as `servery.toml`.
///
/// What is accepted is printed, and the print is accepted and means the same; what is refused names places that exist in
/// the text, in their order, in printable words.
class ConfigurationFuzz {
    private static final String NAME = "servery.toml";
    private static final ConfigurationInputs INPUTS = new ConfigurationInputs(Optional.of(Path.of(NAME)),
            Map.of("NAME", "a secret of sixteen and more"), List.of(), Path.of("").toAbsolutePath(), false);

    @FuzzTest
    void configuration(byte[] bytes) {
        Outcome found = Cost.within(2_000_000 + 20_000L * bytes.length, () -> Configuration.read(bytes, INPUTS));
        switch (found) {
            case Outcome.Refused refused -> judge(refused.faults(), new String(bytes, UTF_8));
            case Outcome.Accepted accepted -> judge(accepted);
        }
        asWorkerText(new String(bytes, UTF_8));
        Invariant.same(found.getClass(), Configuration.read(bytes, INPUTS).getClass(), () -> "the same text again");
    }

    private static void judge(Outcome.Accepted accepted) {
        String text = accepted.effective().text();
        Invariant.holds(!text.contains("a secret of sixteen"), () -> "a secret is printed: " + text);
        Outcome again = Configuration.read(text.getBytes(UTF_8), INPUTS);
        if (!(again instanceof Outcome.Accepted same)) {
            throw new AssertionError("the print of an accepted configuration is refused: " + again + "\n" + text);
        }
        ServeryConfig config = accepted.config();
        Invariant.same(new ServeryConfig(config.profile(), config.runtime(), config.listener(), config.tls(),
                config.resources(), config.logging(), new Metrics.Off(), config.application(), config.mounts()),
                WorkerConfiguration.read(accepted.effective().workerText()).config(), () -> "what a worker reads");
        Invariant.same(values(text), values(same.effective().text()), () -> "the print of the print");
    }

    /// What is refused is refused in printable words.
    private static void asWorkerText(String text) {
        try {
            WorkerConfiguration.read(text);
        } catch (IllegalArgumentException refused) {
            String words = String.valueOf(refused.getMessage());
            Invariant.holds(words.startsWith("worker configuration: line ") && printable(words),
                    () -> "not fit to print: " + words);
        }
    }

    /// A print without its comments, which name other places the second time.
    private static String values(String text) {
        return text.replaceAll("  # [^\n]*", "");
    }

    private static void judge(List<Fault> faults, String text) {
        Invariant.holds(!faults.isEmpty(), () -> "refused without a fault");
        int lines = text.split("\r\n|\n|\r", -1).length;
        int before = 0;
        for (Fault fault : faults) {
            Invariant.holds(printable(fault.what()) && printable(fault.hint().orElse("")),
                    () -> "a control character in " + fault);
            if (fault.place() instanceof Place.InText place) {
                int line = place.line();
                Invariant.holds(line >= 1 && line <= lines && place.column() >= 1,
                        () -> "a place outside the text: " + fault);
                int last = before;
                Invariant.holds(line >= last, () -> "line " + line + " after line " + last);
                before = line;
            }
        }
    }

    private static boolean printable(String text) {
        return text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n');
    }
}
