package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of the configuration page, in its order.
/// Long because the rules stand in the order of one page.
class ConfigurationTest {
    @TempDir
    Path directory;

    private Loaded loaded() {
        return Loaded.in(directory);
    }

    // Layers and rules

    @Test
    void everyLayerOverridesTheOneBefore() {
        assertThat(loaded().config().resources().maxConnections()).isEqualTo(256);
        Loaded production = loaded().file("profile = \"production\"\n").unsafeDevelopmentTls();
        assertThat(production.config().resources().maxConnections()).isEqualTo(10_000);
        Loaded file = loaded().file("[resources]\nmax_connections = 3\n");
        assertThat(file.config().resources().maxConnections()).isEqualTo(3);
        file.env("SERVERY__RESOURCES__MAX_CONNECTIONS", "4");
        assertThat(file.config().resources().maxConnections()).isEqualTo(4);
        file.set("resources.max_connections", "5");
        assertThat(file.config().resources().maxConnections()).isEqualTo(5);
        file.set("resources.max_connections", "6");
        assertThat(file.config().resources().maxConnections()).isEqualTo(6);
    }

    @Test
    void profileOfALaterLayerDecidesTheDefaults() {
        Loaded loaded = loaded().file("profile = \"local\"\n").unsafeDevelopmentTls();
        assertThat(loaded.env("SERVERY__PROFILE", "production").config().profile()).isEqualTo(Profile.PRODUCTION);
        assertThat(loaded.set("profile", "local").config().profile()).isEqualTo(Profile.LOCAL);
        assertThat(loaded.config().listener().endpoint()).isEqualTo(new Endpoint.Tcp(List.of("127.0.0.1"), 8000));
    }

    @Test
    void defaultsOfProfileLocalAreThoseOfTheContract() {
        ServeryConfig config = loaded().config();
        assertThat(config.runtime()).isEqualTo(new RuntimeConfig(OptionalInt.of(1), OptionalInt.empty(),
                OptionalInt.empty(), RuntimeConfig.Transport.AUTO, Duration.ofSeconds(30), Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                new RuntimeConfig.Restarts(Duration.ofMillis(250), Duration.ofSeconds(30), 5, Duration.ofSeconds(60)),
                new RuntimeConfig.Recycling(Duration.ZERO, 0.1, 0), Duration.ofSeconds(10),
                new RuntimeConfig.Memory(OptionalLong.empty(), OptionalLong.empty()),
                directory.resolve(".local/state/servery"), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(config.listener())
                .isEqualTo(new Listener(new Endpoint.Tcp(List.of("127.0.0.1"), 8000), OptionalInt.empty(), true, 4096));
        assertThat(config.tls()).isEqualTo(new Tls.Off());
        assertThat(config.resources()).isEqualTo(new Resources(256, 0, 0, 32_768, 100, 8_192, 104_857_600, 65_536,
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(60), 500, Duration.ofSeconds(60),
                Duration.ofSeconds(30), 33_554_432, 65_536, 8_388_608, new Resources.Lanes(new Resources.Lane(4, 256),
                        new Resources.ComputeLane(Optional.empty(), 64, 67_108_864))));
        assertThat(config.logging()).isEqualTo(new Logging(Logging.Level.INFO, Logging.Format.HUMAN, true));
        assertThat(config.metrics()).isEqualTo(new Metrics.Off());
        assertThat(config.application()).isEqualTo(new StaticFiles(directory, List.of("index.html"), true, false,
                false, StaticFiles.Symlinks.INSIDE, true, true, false, Optional.empty(), List.of(),
                Duration.ofSeconds(1),
                true,
                Map.of(),
                Map.of()));
        assertThat(config.mounts()).isEmpty();
    }

    @Test
    void defaultsOfProfileProductionAreThoseOfTheContract() {
        ServeryConfig config = loaded().file("profile = \"production\"\n").unsafeDevelopmentTls().config();
        assertThat(config.listener().endpoint()).isEqualTo(new Endpoint.Tcp(List.of("0.0.0.0", "::"), 443));
        assertThat(config.resources().maxConnectionsPerClient()).isEqualTo(512);
        assertThat(config.logging().format()).isEqualTo(Logging.Format.JSON);
        assertThat(config.metrics()).isEqualTo(new Metrics.On(new Endpoint.Tcp(List.of("127.0.0.1"), 9090), "/metrics",
                "/livez", "/readyz", Optional.empty()));
        assertThat(((StaticFiles) config.application()).listing()).isFalse();
        assertThat(config.runtime().stateDirectory()).isEqualTo(Path.of("/var/lib/servery"));
        assertThat(config.runtime().runtimeDirectory()).contains(Path.of("/run/servery"));
        assertThat(config.runtime().workers()).isEmpty();
    }

    @Test
    void stateDirectoryFollowsTheXdgVariable() {
        assertThat(loaded().env("XDG_STATE_HOME", "/x").config().runtime().stateDirectory())
                .isEqualTo(Path.of("/x/servery"));
        assertThat(loaded().env("XDG_STATE_HOME", "relative").config().runtime().stateDirectory())
                .isEqualTo(directory.resolve(".local/state/servery"));
    }

    @Test
    void schemaVersionIsRequiredInAFile() {
        assertThat(loaded().wholeFile("profile = \"local\"\n").errors()).isEqualTo("""
                servery.toml:1:1: error: `schema_version` is missing
                   1 | profile = "local"
                     | ^
                   begin the file with `schema_version = 1`
                """);
        assertThat(loaded().wholeFile("").errors()).startsWith("servery.toml:1:1: error: `schema_version` is missing");
        assertThat(loaded().wholeFile("schema_version = 2").errors())
                .startsWith("servery.toml:1:18: error: `schema_version`: found 2; expected 1\n");
    }

    @Test
    void schemaVersionBelongsToTheFileAlone() {
        assertThat(loaded().env("SERVERY__SCHEMA_VERSION", "1").errors())
                .isEqualTo("env SERVERY__SCHEMA_VERSION: error: unknown name\n");
        assertThat(loaded().set("schema_version", "1").errors())
                .isEqualTo("--set schema_version: error: unknown key `schema_version`\n");
    }

    @ParameterizedTest
    @CsvSource({"250ms,250", "30s,30000", "5m,300000", "1h,3600000", "'5 m',300000"})
    void timesHaveUnits(String text, long millis) {
        assertThat(loaded().file("resources.write_timeout = \"" + text + "\"").config().resources().writeTimeout())
                .isEqualTo(Duration.ofMillis(millis));
        assertThat(loaded().set("resources.write_timeout", text).config().resources().writeTimeout())
                .isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void timesAsNumbersAreSeconds() {
        assertThat(loaded().file("resources.write_timeout = 7").config().resources().writeTimeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(loaded().file("resources.write_timeout = 0.25").config().resources().writeTimeout())
                .isEqualTo(Duration.ofMillis(250));
        assertThat(loaded().env("SERVERY__RESOURCES__WRITE_TIMEOUT", "7").config().resources().writeTimeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(loaded().set("resources.write_timeout", "1.5").config().resources().writeTimeout())
                .isEqualTo(Duration.ofMillis(1_500));
        assertThat(loaded().file("application.static.cache_max_age = \"90d\"").config().application())
                .extracting(files -> ((StaticFiles) files).cacheMaxAge()).isEqualTo(Optional.of(Duration.ofDays(90)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"30\"", "\"\"", "\"s\"", "\"-1s\"", "\"1.5s\"", "\"1w\"", "\"1S\"", "true", "[1]", "nan",
            "inf", "-1", "0.0001", "0", "\"2h\"", "\"999999999999999999d\"", "9223372036854775807", "2020-01-01"})
    void timesThatAreNoneAreRefused(String value) {
        assertThat(loaded().file("resources.write_timeout = " + value).errors())
                .startsWith("servery.toml:2:27: error: `resources.write_timeout`: found ").contains("; expected ");
    }

    @ParameterizedTest
    @CsvSource({"64KiB,65536", "1MiB,1048576", "2KB,2000", "4096B,4096", "'2 KiB',2048"})
    void sizesHaveUnits(String text, long bytes) {
        assertThat(loaded().file("resources.max_request_body = \"" + text + "\"").config().resources().maxRequestBody())
                .isEqualTo(bytes);
    }

    @Test
    void sizesAsNumbersAreBytes() {
        assertThat(loaded().file("resources.max_request_body = 70000").config().resources().maxRequestBody())
                .isEqualTo(70_000);
        assertThat(loaded().set("resources.max_request_body", "1GB").config().resources().maxRequestBody())
                .isEqualTo(1_000_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"64\"", "\"64k\"", "\"64kb\"", "\"KiB\"", "1.5", "true", "{}", "-1", "\"9999999999TiB\"",
            "\"2TiB\""})
    void sizesThatAreNoneAreRefused(String value) {
        assertThat(loaded().file("resources.max_request_body = " + value).errors())
                .startsWith("servery.toml:2:30: error: `resources.max_request_body`: found ");
    }

    @Test
    void environmentTakesBareWordsAndJson() {
        StaticFiles files = (StaticFiles) loaded().env("SERVERY__APPLICATION__STATIC__INDEX", "[\"a\", \"\\u0062\"]")
                .env("SERVERY__APPLICATION__STATIC__HEADERS", "{\"X-A\": \"1\"}")
                .env("SERVERY__APPLICATION__STATIC__SPA", "true").env("SERVERY__APPLICATION__STATIC__ROOT", ".")
                .config().application();
        assertThat(files.index()).containsExactly("a", "b");
        assertThat(files.headers()).isEqualTo(Map.of("X-A", "1"));
        assertThat(files.spa()).isTrue();
        assertThat(loaded().env("SERVERY__LISTENER__HOST", "[\"::1\"]").config().listener().endpoint())
                .isEqualTo(new Endpoint.Tcp(List.of("::1"), 8000));
        assertThat(loaded().env("SERVERY__LISTENER__HOST", "::1").config().listener().endpoint())
                .isEqualTo(new Endpoint.Tcp(List.of("::1"), 8000));
    }

    @Test
    void environmentAndCommandLineTakeMounts() throws Exception {
        Files.createDirectory(directory.resolve("m"));
        assertThat(loaded().env("SERVERY__MOUNT", "[{\"path\": \"/m/\", \"root\": \"m\"}]").config().mounts())
                .extracting(Mount::path).containsExactly("/m/");
        assertThat(loaded().set("mount", "[{ path = \"/n/\", root = \"m\" }]").config().mounts())
                .extracting(Mount::path).containsExactly("/n/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERVERY__LISTENER__PROT", "SERVERY__LISTENER__Port", "SERVERY__", "SERVERY__X__Y",
            "SERVERY__LISTENER.PORT", "SERVERY__APPLICATION__STATIC__HEADERS__X"})
    void unknownEnvironmentNamesAreErrors(String name) {
        assertThat(loaded().env(name, "1").errors()).startsWith("env " + name + ": error: unknown name\n");
    }

    @Test
    void otherEnvironmentNamesAreNotOurs() {
        assertThat(loaded().env("SERVERY_PORT", "x").env("PATH", "y").errors()).isEmpty();
    }

    @Test
    void placesOutsideOfTheFileAreNamedLikewise() {
        assertThat(loaded().env("SERVERY__LISTENER__PROT", "1").env("SERVERY__LISTENER__PORT", "many")
                .set("listner.port", "2").set("listener.port", "99999").errors()).isEqualTo("""
                        env SERVERY__LISTENER__PORT: error: `listener.port`: found "many"; expected a whole number \
                        from 0 to 65535
                        env SERVERY__LISTENER__PROT: error: unknown name
                           did you mean `SERVERY__LISTENER__PORT`?
                        --set listner.port: error: unknown key `listner.port`
                           did you mean `listener.port`?
                        --set listener.port: error: `listener.port`: found 99999; expected a whole number from 0 to \
                        65535
                        """);
    }

    @Test
    void valueThatALaterLayerReplacesMustBeSoundToo() {
        assertThat(loaded().file("listener.port = \"x\"\n").set("listener.port", "1").errors())
                .startsWith("servery.toml:2:17: error: `listener.port`: found \"x\"");
        assertThat(loaded().file("metrics.token = { file = \"gone\" }\n").env("T", "x").set("metrics.token.env", "T")
                .errors()).isEmpty();
    }

    @Test
    void commandLineTakesTomlWhereAListOrTableIsMeant() {
        StaticFiles files = (StaticFiles) loaded().set("application.static.index", "['a', \"b\"]")
                .set("application.static.headers", "{ \"X-A\" = 'v' }").config().application();
        assertThat(files.index()).containsExactly("a", "b");
        assertThat(files.headers()).isEqualTo(Map.of("X-A", "v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[1", "['a'] x", "['a']\nb = 1", "a", "['a',,]", "{}", "[1]"})
    void badTomlOnTheCommandLineIsAnError(String words) {
        assertThat(loaded().set("application.static.index", words).errors())
                .startsWith("--set application.static.index: error: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[\"a\"] x", "['a']", "[\"a\",]", "[null]", "{\"a\":1,\"a\":2}", "[\"\\ud800\"]",
            "[99999999999999999999]", "[\"\\x\"]", "[\"\\u00\"]", "[\"\n\"]"})
    void badJsonInTheEnvironmentIsAnError(String words) {
        assertThat(loaded().env("SERVERY__APPLICATION__STATIC__INDEX", words).errors())
                .startsWith("env SERVERY__APPLICATION__STATIC__INDEX: error: ");
    }

    @Test
    void unknownKeyIsReportedAsTheContractShowsIt() {
        assertThat(loaded().wholeFile("schema_version = 1" + "\n".repeat(11) + "listner.port = 8080\n").errors())
                .isEqualTo("""
                        servery.toml:12:1: error: unknown key `listner.port`
                           12 | listner.port = 8080
                              | ^^^^^^^
                           did you mean `listener.port`?
                        """);
    }

    @Test
    void unknownSectionIsReportedOnce() {
        assertThat(loaded().file("[listner]\nport = 1\nhost = \"x\"\n[[mounts]]\npath = \"/a/\"\n").errors())
                .isEqualTo("""
                        servery.toml:2:2: error: unknown section `listner`
                           2 | [listner]
                             |  ^^^^^^^
                           did you mean `listener`?
                        servery.toml:5:3: error: unknown section `mounts`
                           5 | [[mounts]]
                             |   ^^^^^^
                           did you mean `mount`?
                        """);
    }

    @Test
    void rightKeyInAWrongPlaceIsSuggestedWhereItBelongs() {
        assertThat(loaded().file("[listener]\nmax_connections = 3\n").errors())
                .contains("unknown key `listener.max_connections`")
                .contains("did you mean `resources.max_connections`?");
        assertThat(loaded().file("port = 3\n").errors()).contains("unknown key `port`")
                .contains("did you mean `listener.port`?");
    }

    @Test
    void keyWithADotInQuotesIsNotTheKeyOfATable() {
        assertThat(loaded().file("\"listener.port\" = 3\n").errors()).contains("unknown key `listener.port`");
    }

    @Test
    void unknownKeyOfAMountIsReported() {
        assertThat(loaded().file("[[mount]]\npath = \"/a/\"\nrot = \".\"\n").errors())
                .startsWith("servery.toml:4:1: error: unknown key `mount.rot`")
                .contains("did you mean `mount.root`?");
    }

    @Test
    void wrongTypesAreReportedWithWhatWasFound() {
        assertThat(loaded().file("""
                listener.port = "http"
                logging.access = 1
                application.static.index = "i"
                metrics = 3
                mount = 4
                logging.level = "infos"
                listener.host = [1]
                resources.max_fields = 1.5
                """)
                .errors()).isEqualTo(
                        """
                                servery.toml:2:17: error: `listener.port`: found "http"; expected a whole number from 0 to 65535
                                   2 | listener.port = "http"
                                     |                 ^^^^^^
                                servery.toml:3:18: error: `logging.access`: found 1; expected true or false
                                   3 | logging.access = 1
                                     |                  ^
                                servery.toml:4:28: error: `application.static.index`: found "i"; expected an array: each a file \
                                name without separators
                                   4 | application.static.index = "i"
                                     |                            ^^^
                                servery.toml:5:11: error: `metrics`: found 3; expected a table
                                   5 | metrics = 3
                                     |           ^
                                servery.toml:6:9: error: `mount`: found 4; expected an array of tables, `[[mount]]`
                                   6 | mount = 4
                                     |         ^
                                servery.toml:7:17: error: `logging.level`: found "infos"; expected "debug" or "info" or "warn" \
                                or "error"
                                   7 | logging.level = "infos"
                                     |                 ^^^^^^^
                                   did you mean "info"?
                                servery.toml:8:18: error: `listener.host`: found 1; expected an IP address or a host name
                                   8 | listener.host = [1]
                                     |                  ^
                                servery.toml:9:24: error: `resources.max_fields`: found 1.5; expected a whole number from 1 to \
                                1000
                                   9 | resources.max_fields = 1.5
                                     |                        ^^^
                                """);
    }

    @Test
    void errorsAreSortedByPlaceAcrossLayers() {
        String errors = loaded().file("z = 1\n[resources]\nmax_fields = 0\n[listener]\nport = -1\na = 1\n")
                .env("SERVERY__X", "1").env("SERVERY__A", "1").set("b", "1").set("a", "1").errors();
        assertThat(errors.lines().filter(line -> line.contains(": error: "))
                .map(line -> line.substring(0, line.indexOf(": error"))))
                .containsExactly("servery.toml:2:1", "servery.toml:4:14", "servery.toml:6:8", "servery.toml:7:1",
                        "env SERVERY__A", "env SERVERY__X", "--set b", "--set a");
    }

    @Test
    void millionErrorsAreCountedNotPrinted() {
        String errors = loaded().file(numbered(2_000)).errors();
        assertThat(errors.lines().filter(line -> line.contains(": error: "))).hasSize(501);
        assertThat(errors).endsWith("servery.toml: error: 1500 more errors are not shown\n");
    }

    private static String numbered(int count) {
        StringBuilder text = new StringBuilder();
        for (int n = 0; n < count; n++) {
            text.append("k").append(n).append(" = 1\n");
        }
        return text.toString();
    }

    @Test
    void columnsCountCodePoints() {
        assertThat(loaded().file("listener = { host = \"\uD83D\uDE00\", prot = 1 }").errors())
                .contains("servery.toml:2:21: error: `listener.host`")
                .contains("servery.toml:2:26: error: unknown key");
    }

    @Test
    void sourceLineIsMadeFitToPrint() {
        String errors = loaded().file("x = \"" + "a".repeat(300) + "\"\n\ty\t= 1 # \u202e\n").errors();
        assertThat(errors).contains("   2 | x = \"aaa").contains("…\n").contains("   3 |  y = 1 # \uFFFD\n     |  ^\n");
        assertThat(errors.lines()).allMatch(line -> line.length() < 140);
    }

    // Secrets

    @Test
    void secretComesFromAFileWithoutItsTrailingNewline() throws Exception {
        Files.writeString(directory.resolve("t"), "hunter2\n\n");
        Metrics.On on = (Metrics.On) loaded().file("[metrics]\nenabled = true\ntoken = { file = \"t\" }\n").config()
                .metrics();
        assertThat(on.token().orElseThrow().reveal()).isEqualTo("hunter2\n");
        assertThat(on.toString()).doesNotContain("hunter2").contains("<redacted>");
    }

    @Test
    void secretComesFromTheEnvironment() {
        Loaded loaded = loaded().file("metrics.enabled = true\nmetrics.token = { env = \"T\" }\n").env("T", "hunter2");
        assertThat(((Metrics.On) loaded.config().metrics()).token().orElseThrow().reveal()).isEqualTo("hunter2");
        assertThat(loaded.accepted().effective().text())
                .contains("metrics.token = { env = \"T\" }  # <redacted> servery.toml:3\n").doesNotContain("hunter2");
    }

    @Test
    void secretMayBeReferredToFromTheOutside() {
        for (Loaded loaded : List.of(loaded().env("SERVERY__METRICS__TOKEN__ENV", "T"),
                loaded().env("SERVERY__METRICS__TOKEN", "{\"env\":\"T\"}"), loaded().set("metrics.token.env", "T"),
                loaded().set("metrics.token", "{ env = 'T' }"))) {
            Metrics metrics = loaded.env("T", "hunter2").set("metrics.enabled", "true").config().metrics();
            assertThat(((Metrics.On) metrics).token().orElseThrow().reveal()).isEqualTo("hunter2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"metrics.token = \"hunter2\"", "metrics.token = hunter2", "metrics.token = \"hunter2",
            "metrics.tokn = \"hunter2\"", "metrics.token = [\"hunter2\"]", "metrics.token = { value = \"hunter2\" }",
            "metrics = { port = \"x\", token = \"hunter2\" }", "metrics.token = { env = \"T\" } hunter2",
            "[metrics.token]\nvalue = \"hunter2\"", "password = \"hunter2\"", "metrics.token.hunter = 'hunter2'",
            "metrics.token = '''\nhunter2'''", "metrics.token = '''\nhunter2''' x"})
    void secretInAFileIsNeverEchoed(String text) {
        assertThat(loaded().file(text + "\n").errors()).isNotEmpty().doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2", "{hunter2", "{\"value\":\"hunter2\"}", "[\"hunter2\"]"})
    void secretOutsideOfAFileIsNeverEchoed(String words) {
        assertThat(loaded().env("SERVERY__METRICS__TOKEN", words).errors()).startsWith("env SERVERY__METRICS__TOKEN: ")
                .doesNotContain("hunter2");
        assertThat(loaded().set("metrics.token", words).errors()).startsWith("--set metrics.token: error: ")
                .doesNotContain("hunter2");
        assertThat(loaded().env("SERVERY__METRICS__TOKN", words).set("metrics.tokn", words).errors())
                .doesNotContain("hunter2");
    }

    @Test
    void secretFileThatIsMissingEmptyOrNoFileIsRefused() throws Exception {
        Files.createFile(directory.resolve("empty"));
        Files.write(directory.resolve("binary"), new byte[]{(byte) 0xff});
        for (String name : List.of("missing", "empty", "binary", ".")) {
            assertThat(loaded().file("metrics.token = { file = \"" + name + "\" }").errors())
                    .startsWith("servery.toml:2:17: error: `metrics.token`: found ");
        }
        assertThat(loaded().file("metrics.token = { env = \"NONE\" }").errors())
                .contains("no value in the environment variable NONE");
    }

    @Test
    void productionRefusesASecretFileThatOthersMayRead() throws Exception {
        Path secret = Files.writeString(directory.resolve("t"), "hunter2");
        Loaded loaded = loaded().file("profile = \"production\"\nmetrics.token = { file = \"t\" }")
                .unsafeDevelopmentTls();
        Files.setPosixFilePermissions(secret, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
        assertThat(loaded.errors()).contains("found a secret file that group or others may read")
                .contains("chmod 600");
        Files.setPosixFilePermissions(secret, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        assertThat(loaded.errors()).isEmpty();
    }

    // Not yet available

    @ParameterizedTest
    @ValueSource(strings = {
            "application.static.archives = false", "listener.http2 = false",
            "listener.http3 = false", "listener.proxy_protocol = false", "listener.trusted_proxy_cidrs = []",
            "tls.mode = \"off\"", "tls.hsts = 0", "tls.hsts = \"0s\"",
            "resources.rate.requests_per_second = 0", "logging.access_format = \"clf\"",
            "logging.include_query = false", "[tls]", "[resources.rate]"})
    void whatHappensTodayAnywayMayBeSaid(String text) {
        assertThat(loaded().file(text).errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"application.static.archives = true,application.static.archives",
            "listener.http2 = true,listener.http2",
            "listener.http2 = 7,listener.http2",
            "resources.lanes.stream.threads = 2,resources.lanes.stream.threads",
            "resources.rate.burst = 5,resources.rate.burst", "application.java.class = 'X',application.java.class",
            "[application.wsgi],application.wsgi", "application.mode = 'java',application.mode",
            "profile = 'lan',profile", "[application.proxy],application.proxy", "[upload],upload",
            "webdav.x = 1,webdav",
            "[auth.users],auth", "lan = 3,lan", "[[tftp]],tftp", "logging.access_file = 'x',logging.access_file"})
    void whatComesLaterIsRefusedByName(String text, String key) {
        assertThat(loaded().file(text).errors()).startsWith("servery.toml:2:").contains("`" + key + "`")
                .contains("is not yet available").doesNotContain("unknown");
    }

    @Test
    void whatComesLaterIsRefusedOnTheOutsideToo() {
        assertThat(loaded().env("SERVERY__UPLOAD__X", "1").env("SERVERY__LISTENER__HTTP3_PORT", "4")
                .set("webdav.x", "1").set("listener.http2", "true").errors()).isEqualTo("""
                        env SERVERY__LISTENER__HTTP3_PORT: error: `listener.http3_port` is not yet available
                        env SERVERY__UPLOAD__X: error: `upload.x` is not yet available
                        --set webdav.x: error: `webdav.x` is not yet available
                        --set listener.http2: error: `listener.http2` is not yet available
                           so far only `false` is
                        """);
    }

    // Tables

    @Test
    void listenerTakesOneOrSeveralHosts() {
        assertThat(loaded().file("[listener]\nhost = [\"127.0.0.1\", \"::1\"]\nport = 0\n").config().listener()
                .endpoint()).isEqualTo(new Endpoint.Tcp(List.of("127.0.0.1", "::1"), 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"300.1.1.1\"", "\"1.2.3\"", "\"a b\"", "\"[::1]\"", "\"::g\"", "\"-a\"", "[]",
            "[\"::1\", \"::1\"]", "\"a..b\"", "\"a:80\""})
    void hostThatIsNoneIsRefused(String host) {
        assertThat(loaded().file("listener.host = " + host).errors()).contains("`listener.host`: found ");
    }

    @Test
    void unixSocketStandsInsteadOfHostAndPort() {
        assertThat(loaded().file("listener.unix = \"s\"\n").config().listener().endpoint())
                .isEqualTo(new Endpoint.UnixSocket(directory.resolve("s")));
        assertThat(loaded().file("listener.unix = \"s\"\nlistener.port = 1\n").errors())
                .startsWith("servery.toml:3:10: error: `listener.port`: found together with `listener.unix`");
        assertThat(loaded().file("listener.unix = \"" + "s".repeat(108) + "\"\n").errors())
                .contains("expected a path of at most 107 bytes");
    }

    @Test
    void aProtocolMustBeSpoken() {
        assertThat(loaded().file("listener.http1 = false\n").errors()).contains("expected a protocol that is spoken");
    }

    @Test
    void targetIsPartOfTheHead() {
        assertThat(loaded().file("[resources]\nmax_head_bytes = 4096\nmax_target_bytes = \"8KiB\"\n").errors())
                .startsWith("servery.toml:4:1: error: `resources.max_target_bytes`: found 8KiB; expected at most "
                        + "`resources.max_head_bytes`, 4KiB");
        assertThat(loaded().file("[resources]\nmax_head_bytes = 4096\n").errors())
                .startsWith("servery.toml:3:1: error: `resources.max_target_bytes`: found 8KiB");
    }

    @Test
    void metricsOffAndOnAreAlternatives() {
        assertThat(loaded().file("[metrics]\nport = 1\n").config().metrics()).isEqualTo(new Metrics.Off());
        assertThat(loaded().file("[metrics]\nenabled = true\nunix = \"/run/x\"\npath = \"/m\"\n").config().metrics())
                .isEqualTo(new Metrics.On(new Endpoint.UnixSocket(Path.of("/run/x")), "/m", "/livez", "/readyz",
                        Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"0.0.0.0\"", "\"::\"", "\"192.0.2.1\"", "\"example.org\"", "[\"127.0.0.1\", \"::\"]"})
    void publicAdminListenerNeedsAToken(String host) {
        Loaded loaded = loaded().file("[metrics]\nenabled = true\nhost = " + host + "\n");
        assertThat(loaded.errors()).startsWith("servery.toml:4:1: error: `metrics.host`: found an address beyond");
        assertThat(loaded.env("T", "x").set("metrics.token.env", "T").errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"127.9.9.9\"", "\"::1\"", "\"localhost\"", "[\"127.0.0.1\", \"::1\"]"})
    void loopbackAdminListenerNeedsNone(String host) {
        assertThat(loaded().file("[metrics]\nenabled = true\nhost = " + host + "\n").errors()).isEmpty();
    }

    @Test
    void pathsOfTheAdminListenerDiffer() {
        assertThat(loaded().file("[metrics]\nenabled = true\nlive_path = \"/metrics\"\n").errors())
                .startsWith("servery.toml:4:1: error: `metrics.live_path`: found the path of `metrics.path`");
        assertThat(loaded().file("[metrics]\nlive_path = \"x\"\nready_path = \"/a/../b\"\npath = \"/a?b\"\n").errors()
                .lines().filter(line -> line.contains(": error: "))).hasSize(3);
    }

    @Test
    void adminAndPublicListenerDoNotShareAnAddress() {
        assertThat(loaded().file("metrics = { enabled = true, port = 8000 }\n").errors())
                .contains("`metrics.port`: found the address of the public listener");
        assertThat(loaded().file("metrics = { enabled = true, unix = \"s\" }\nlistener.unix = \"s\"").errors())
                .contains("`metrics.unix`: found the socket of `listener.unix`");
    }

    @Test
    void relativePathsInAFileAreRelativeToItsDirectory() throws Exception {
        Path site = Files.createDirectories(directory.resolve("etc/site"));
        Files.writeString(directory.resolve("etc/servery.toml"),
                "schema_version = 1\napplication.static.root = \"site\"\n");
        ConfigurationInputs inputs = new ConfigurationInputs(Optional.of(Path.of("etc/servery.toml")), Map.of(),
                List.of(), directory, false);
        assertThat(((Outcome.Accepted) Configuration.load(inputs)).config().application())
                .extracting(files -> ((StaticFiles) files).root()).isEqualTo(site);
        inputs = new ConfigurationInputs(inputs.file(), Map.of(),
                List.of(new Setting("--set", "application.static.root", "etc")), directory, false);
        assertThat(((Outcome.Accepted) Configuration.load(inputs)).config().application())
                .extracting(files -> ((StaticFiles) files).root()).isEqualTo(directory.resolve("etc"));
    }

    @Test
    void rootMustBeADirectory() throws Exception {
        assertThat(loaded().file("[application.static]\nroot = \"gone\"\n").errors()).isEqualTo("""
                servery.toml:3:8: error: `application.static.root`: found nothing at %s; expected a directory
                   3 | root = "gone"
                     |        ^^^^^^
                """.formatted(Printable.shown(directory.resolve("gone").toString())));
        Files.createFile(directory.resolve("file"));
        assertThat(loaded().file("[[mount]]\npath = \"/m/\"\nroot = \"file\"\n").errors())
                .startsWith("servery.toml:4:8: error: `mount.root`: found no directory at ");
    }

    @Test
    void keysOfFilesAreThoseOfTheContract() throws Exception {
        Files.createFile(directory.resolve("404.html"));
        StaticFiles files = (StaticFiles) loaded().file("""
                [application.static]
                index = ["a.html", "b.html"]
                listing = false
                show_hidden = true
                spa = true
                symlinks = "deny"
                compress = false
                precompressed = false
                digests = true
                cache_max_age = "1h"
                immutable = ["assets/**"]
                cache_revalidate = 0
                security_headers = false
                error_pages = { "404" = "404.html" }
                headers = { "X-A" = "b", "X-C" = "" }
                """).config().application();
        assertThat(files).isEqualTo(new StaticFiles(directory, List.of("a.html", "b.html"), false, true, true,
                StaticFiles.Symlinks.DENY, false, false, true, Optional.of(Duration.ofHours(1)), List.of("assets/**"),
                Duration.ZERO,
                false,
                Map.of(404, "404.html"), Map.of("X-A", "b", "X-C", "")));
        assertThat(files.headers().keySet()).containsExactly("X-A", "X-C");
    }

    @ParameterizedTest
    @ValueSource(strings = {"headers = { \"Content-Length\" = \"1\" }",
            "headers = { \"Repr-Digest\" = \"1\" }", "headers = { \"Content-Digest\" = \"1\" }",
            "headers = { \"X A\" = \"1\" }",
            "headers = { \"X\" = \"a\\nb\" }", "headers = { \"X\" = 1 }", "headers = { \"X\" = \"1\", \"x\" = \"2\" }",
            "error_pages = { \"200\" = \"x\" }", "error_pages = { \"404\" = \"../x\" }",
            "error_pages = { \"404\" = \"gone\" }", "index = [\"a/b\"]", "index = [\"..\"]", "index = [\"a\", \"a\"]",
            "immutable = [\"[\"]", "symlinks = \"maybe\"", "root = \"\"", "root = \"a\\u0000b\"",
            "cache_max_age = \"-1s\""})
    void valuesOfFilesThatCannotBeServedAreRefused(String text) {
        assertThat(loaded().file("[application.static]\n" + text + "\n").errors()).startsWith("servery.toml:3:")
                .contains("`application.static.");
    }

    @Test
    void mountsAreReadInOrder() throws Exception {
        Files.createDirectory(directory.resolve("a"));
        ServeryConfig config = loaded().file("""
                [[mount]]
                path = "/b/"
                root = "a"
                listing = false
                [[mount]]
                path = "/a/"
                headers = { X = "y" }
                """).config();
        assertThat(config.mounts()).extracting(Mount::path).containsExactly("/b/", "/a/");
        assertThat(config.mounts().getFirst().files().listing()).isFalse();
        assertThat(config.mounts().getLast().files().headers()).isEqualTo(Map.of("X", "y"));
        assertThat(loaded().file("[[mount]]\n").config().mounts()).extracting(Mount::path).containsExactly("/static/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "static/", "/static", "/a//b/", "/a/../", "/a?/", "/ü/", ""})
    void mountPathThatIsNoneIsRefused(String path) {
        assertThat(loaded().file("[[mount]]\npath = \"" + path + "\"\n").errors())
                .startsWith("servery.toml:3:8: error: `mount.path`: found ");
    }

    @Test
    void mountPathsDiffer() {
        assertThat(loaded().file("[[mount]]\npath = \"/a/\"\n[[mount]]\npath = \"/a/\"\n").errors())
                .startsWith("servery.toml:5:8: error: `mount.path`: found \"/a/\" a second time");
    }

    // Profiles

    @Test
    void productionRefusesToRunWithoutTls() {
        assertThat(loaded().file("profile = \"production\"\n").errors()).isEqualTo("""
                servery.toml:2:1: error: `tls.mode`: found "off"; profile production needs "manual" or "acme"
                   2 | profile = "production"
                     | ^^^^^^^
                   --unsafe-development-tls runs production without TLS that clients trust
                """);
        assertThat(loaded().file("profile = \"production\"\n").unsafeDevelopmentTls().errors()).isEmpty();
        assertThat(loaded().file("profile = \"production\"\ntls.mode = \"off\"\n").errors())
                .startsWith("servery.toml:3:5: error: `tls.mode`");
    }

    @ParameterizedTest
    @CsvSource({"listener.port = 0,a fixed port", "metrics.port = 0,a fixed port",
            "logging.format = 'human',\"\"\"json\"\"\"",
            "metrics.enabled = false,the admin listener",
            "metrics.host = '0.0.0.0',a loopback address or `metrics.unix`",
            "resources.max_connections_per_client = 0,a finite limit",
            "resources.request_body_rate = 0,a finite limit"})
    void productionFailsClosed(String text, String needs) {
        Loaded loaded = loaded().file("profile = \"production\"\n" + text + "\n").unsafeDevelopmentTls();
        assertThat(loaded.errors()).startsWith("servery.toml:3:").contains("profile production needs ");
        assertThat(loaded.errors()).contains(needs.replace("\"\"\"", "\"").replaceAll("^\"|\"$", ""));
        assertThat(loaded().file(text + "\n").env("T", "x").set("metrics.token.env", "T").errors()).isEmpty();
    }

    @Test
    void productionRefusesAPublicAdminListenerEvenWithAToken() {
        assertThat(loaded().file("profile = \"production\"\nmetrics.host = \"0.0.0.0\"\n").env("T", "x")
                .set("metrics.token.env", "T").unsafeDevelopmentTls().errors())
                .contains("found a public admin listener");
    }

    // The file itself

    @Test
    void fileThatCannotBeReadIsAFaultOfTheWholeFile() throws Exception {
        ConfigurationInputs inputs = loaded().inputs();
        assertThat(faults(inputs)).isEqualTo("servery.toml: error: found no such file; expected one"
                + " (`init` writes a first one)\n");
        Path file = Files.createDirectory(directory.resolve("servery.toml"));
        assertThat(faults(inputs)).isEqualTo("servery.toml: error: found a directory; expected a file\n");
        Files.delete(file);
        Files.createSymbolicLink(file, file);
        assertThat(faults(inputs)).startsWith("servery.toml: error: the file cannot be read (Too many levels of ");
        Files.delete(file);
        Files.write(file, new byte[(1 << 20) + 1]);
        assertThat(faults(inputs)).isEqualTo("servery.toml: error: found more than 1MiB; expected at most that\n");
        Files.write(file, "a = 1\n\u00e4".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        assertThat(faults(inputs)).isEqualTo("servery.toml: error: found bytes that are not UTF-8 on line 2; expected"
                + " UTF-8\n");
        Files.writeString(file, "\uFEFFschema_version = 1\n");
        assertThat(faults(inputs)).isEqualTo("servery.toml: error: found a byte order mark at the beginning; expected"
                + " plain UTF-8\n");
    }

    private static String faults(ConfigurationInputs inputs) {
        return new io.servery.core.fault.FaultText(false).of(((Outcome.Refused) Configuration.load(inputs)).faults());
    }

    @Test
    void syntaxErrorsHaveAPlace() {
        assertThat(loaded().file("[listener]\nport = 80 80\n").errors()).isEqualTo("""
                servery.toml:3:11: error: found `8`; expected the end of the line
                   3 | port = 80 80
                     |           ^
                """);
        assertThat(loaded().file("[listener]\nhost = localhost\n").errors())
                .startsWith("servery.toml:3:8: error: found localhost; expected a value (a string needs quotation");
        assertThat(loaded().file("a = \"x\ny\"").errors())
                .startsWith("servery.toml:2:5: error: a string that does not end on its line");
    }

    @Test
    void faultsOutsideOfTheFileAreReportedBesideASyntaxError() {
        assertThat(loaded().file("=\n").env("SERVERY__X", "1").errors()).contains("servery.toml:2:1: error: ")
                .contains("env SERVERY__X: error: unknown name");
    }

    // Provenance

    @Test
    void everyValueKnowsWhereItCameFrom() {
        String text = loaded().file("[resources]\nmax_fields = 7\n").env("SERVERY__RESOURCES__MAX_CONNECTIONS", "9")
                .set("listener.port", "1").accepted().effective().text();
        assertThat(text.lines()).contains("schema_version = 1", "profile = \"local\"  # default",
                "resources.max_fields = 7  # servery.toml:3",
                "resources.max_connections = 9  # env SERVERY__RESOURCES__MAX_CONNECTIONS",
                "listener.port = 1  # --set", "listener.host = [\"127.0.0.1\"]  # profile local",
                "resources.request_head_timeout = \"10s\"  # default",
                "application.static.root = \"" + directory + "\"  # default");
        assertThat(text).doesNotContain("archives").doesNotContain("rate.").doesNotContain("tls.acme");
    }

    @Test
    void effectiveConfigurationIsAFileThatYieldsTheSameValues() throws Exception {
        Files.createFile(directory.resolve("e"));
        for (Loaded loaded : List.of(loaded(), loaded().file("profile = \"production\"\n").unsafeDevelopmentTls(),
                loaded().file("listener.unix = \"s\"\nmetrics = { enabled = true, unix = \"m\" }\n"),
                loaded().file("""
                        metrics = { enabled = true, token = { env = "T" } }
                        [[mount]]
                        path = "/a/"
                        headers = { "X" = "\\"\\\\ ü" }
                        error_pages = { "404" = "e" }
                        [[mount]]
                        """)
                        .env("T", "x"))) {
            Outcome.Accepted first = loaded.accepted();
            Outcome.Accepted second = loaded.wholeFile(first.effective().text()).accepted();
            assertThat(second.config()).isEqualTo(first.config());
        }
    }
}
