import io.undertow.Undertow;
import io.undertow.server.handlers.cache.DirectBufferCache;
import io.undertow.server.handlers.resource.CachingResourceManager;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceHandler;
import java.nio.file.Path;
import org.xnio.Options;

/// Undertow with files: its resource handler over its caching resource manager, one I/O thread.
public final class UndertowFiles {
    private static final int ENTRIES = 1024;
    private static final int SLICE_BYTES = 64;
    private static final int CACHE_BYTES = 16 << 20;
    private static final long CACHED_FILE_BYTES = 2 << 20;
    private static final long SENDFILE_FROM_BYTES = 1 << 20;
    private static final int AGE_MILLIS = 60_000;

    private UndertowFiles() {
    }

    /// @param arguments the port and the folder
    public static void main(String[] arguments) {
        var files = new CachingResourceManager(ENTRIES, CACHED_FILE_BYTES,
                new DirectBufferCache(ENTRIES, SLICE_BYTES, CACHE_BYTES),
                new PathResourceManager(Path.of(arguments[1]), SENDFILE_FROM_BYTES), AGE_MILLIS);
        Undertow.builder().setIoThreads(1).setWorkerThreads(8).setSocketOption(Options.BACKLOG, 4096)
                .addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1").setHandler(new ResourceHandler(files))
                .build().start();
    }
}
