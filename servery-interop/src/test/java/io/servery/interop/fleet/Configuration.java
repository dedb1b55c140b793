package io.servery.interop.fleet;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// What a service is told in its file, lines of TOML by table.
///
/// @param folder for all files of one test
/// @param root what is served
/// @param hosts the addresses that it listens on; none where its sockets are inherited
/// @param port their port
/// @param adminPort the port of the admin listener
/// @param listener lines of `[listener]` beside host and port
/// @param runtime lines of `[runtime]` beside the directories
/// @param tls lines of `[tls]` and tables after it
/// @param resources lines of `[resources]`
/// @param files lines of `[application.static]` and tables after it
/// @param endpoint lines of `[listener]` in place of host and port, where there are any
/// @param logging lines of `[logging]`
public record Configuration(Path folder, Path root, List<String> hosts, int port, int adminPort,
        String listener, String runtime, String tls, String resources, String files, String endpoint, String logging) {
    static final String HOST = "127.0.0.1";

    public static Configuration of(Path folder, Path root) {
        return new Configuration(folder, root, List.of(HOST), 0, 0, "", "", "", "", "", "", "access = false");
    }

    Configuration root(Path other) {
        return new Configuration(folder, other, hosts, port, adminPort, listener, runtime, tls, resources, files,
                endpoint, logging);
    }

    Configuration hosts(String... others) {
        return new Configuration(folder, root, List.of(others), port, adminPort, listener, runtime, tls, resources,
                files, endpoint, logging);
    }

    /// With sockets of this name that whoever starts it has bound to the port.
    Configuration inherited(String name) {
        return endpoint("inherit = \"" + name + '"');
    }

    public Configuration ports(int other, int otherAdmin) {
        return new Configuration(folder, root, hosts, other, otherAdmin, listener, runtime, tls, resources, files,
                endpoint, logging);
    }

    /// Listens elsewhere than at host and port; without lines, there again.
    Configuration endpoint(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, runtime, tls, resources, files,
                String.join("\n", lines), logging);
    }

    public Configuration listener(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, String.join("\n", lines), runtime, tls,
                resources, files, endpoint, logging);
    }

    public Configuration runtime(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, String.join("\n", lines), tls,
                resources, files, endpoint, logging);
    }

    public Configuration tls(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, runtime, String.join("\n", lines),
                resources, files, endpoint, logging);
    }

    public Configuration resources(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, runtime, tls, String.join("\n", lines),
                files, endpoint, logging);
    }

    Configuration files(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, runtime, tls, resources,
                String.join("\n", lines), endpoint, logging);
    }

    /// In place of the one that there is: no access log.
    Configuration logging(String... lines) {
        return new Configuration(folder, root, hosts, port, adminPort, listener, runtime, tls, resources, files,
                endpoint, String.join("\n", lines));
    }

    /// A field on every answer, by which one configuration is told from another.
    Configuration marked(String mark) {
        return files("headers = { X-Configuration = \"" + mark + "\" }");
    }

    Path runtimeDirectory() {
        return folder.resolve("run");
    }

    Path operatorSocket() {
        return runtimeDirectory().resolve("operator.sock");
    }

    public String toml() {
        String addresses = hosts.stream().map(host -> '"' + host + '"').collect(Collectors.joining(", ", "[", "]"));
        String where = endpoint.isEmpty() ? "host = %s\nport = %d".formatted(addresses, port) : endpoint;
        return """
                schema_version = 1
                [runtime]
                runtime_directory = "%s"
                state_directory = "%s"
                %s
                [listener]
                %s
                %s
                %s
                [resources]
                %s
                [logging]
                %s
                [metrics]
                enabled = true
                port = %d
                [application]
                mode = "static"
                [application.static]
                root = "%s"
                %s
                """.formatted(runtimeDirectory(), folder.resolve("state"), runtime, where,
                listener, tls.isEmpty() ? "" : "[tls]\n" + tls, resources, logging, adminPort, root, files);
    }
}
