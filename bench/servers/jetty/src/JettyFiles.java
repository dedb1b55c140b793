import java.nio.file.Path;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Jetty with files: its resource handler, one acceptor and one selector.
public final class JettyFiles {
    private static final int THREADS_MAX = 200;
    private static final int IDLE_MILLIS = 300_000;

    private JettyFiles() {
    }

    /// @param arguments the port and the folder
    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(THREADS_MAX));
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory());
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setAcceptQueueSize(4096);
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        var files = new ResourceHandler();
        files.setBaseResource(ResourceFactory.of(server).newResource(Path.of(arguments[1])));
        server.setHandler(files);
        server.start();
    }
}
