package io.servery.acme.order;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;

/// The same orders at a pebble in a container, where Docker runs and has the images or can fetch them.
class PebbleContainerTest extends OrderCases {
    /// Why there are no images. Trying to fetch one takes minutes, so it is done once.
    private static Optional<String> withoutImages = Optional.empty();

    @Override
    Pebble start(Path files, Pebble.Manner manner, Workers reachable) throws Exception {
        Assumptions.assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "needs a Docker engine");
        assumeImages();
        try {
            return new PebbleContainers(files, manner, reachable);
        } catch (RuntimeException failed) {
            for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
                if (cause instanceof ContainerFetchException) {
                    withoutImages = Optional.of(cause.toString());
                }
            }
            assumeImages();
            throw failed;
        }
    }

    private static void assumeImages() {
        Assumptions.assumeTrue(withoutImages.isEmpty(),
                () -> "needs the images of pebble: " + withoutImages.orElse(""));
    }
}
