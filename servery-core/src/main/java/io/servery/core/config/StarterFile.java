package io.servery.core.config;

/// The first `servery.toml` of a new service.
public final class StarterFile {
    private static final String TEXT = """
            # Servery: one file describes one service.
            # `servery check` validates it, `servery config` shows every value and where it came from.
            schema_version = 1

            # "local" is for development; "production" is for the public internet and asks for more.
            profile = "local"

            [listener]
            host = "127.0.0.1"
            port = 8000

            [application]
            mode = "static"

            [application.static]
            # The directory to serve, relative to this file.
            root = "public"
            index = ["index.html"]
            # List directories that have no index file.
            listing = true
            # error_pages = { "404" = "404.html" }
            # headers = { "Referrer-Policy" = "no-referrer" }
            # cache_max_age = "5m"

            # Further directories beside it.
            #
            # [[mount]]
            # path = "/static/"
            # root = "assets"

            # [resources]
            # max_connections = 256
            # request_head_timeout = "10s"
            # max_request_body = "100MiB"

            # The read-only admin listener: health and metrics.
            # [metrics]
            # enabled = true
            # port = 9090

            # [logging]
            # level = "info"
            # access = true
            """;

    private StarterFile() {
    }

    /// Where the starter file has its site, relative to itself.
    public static String root() {
        return "public";
    }

    public static String text() {
        return TEXT;
    }
}
