package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServingCommandTest {
    @ParameterizedTest
    @ValueSource(strings = {"--config servery.toml", "--config=servery.toml", "run --config servery.toml",
            "--config servery.toml --set resources.max_connections=9", "--config check"})
    void commandLineThatServesAService(String line) {
        assertThat(ServingCommand.of(line.split(" ", -1))).isEqualTo(ServingCommand.Kind.SERVICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "serve ./public --port 8000", "--set a=b serve ."})
    void commandLineThatServesAFolder(String line) {
        assertThat(ServingCommand.of(line.split(" ", -1))).isEqualTo(ServingCommand.Kind.FOLDER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "check --config servery.toml", "config --config servery.toml", "version", "init",
            "completion bash", "--help", "run --help", "serve -h", "--version", "--config x --check-config",
            "--config x --print-effective-config", "--set a=serve check", "status --config servery.toml"})
    void commandLineThatReports(String line) {
        assertThat(ServingCommand.of(line.split(" ", -1))).isEqualTo(ServingCommand.Kind.NONE);
    }
}
