package io.servery.acme.order;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/// The same orders at a pebble in a container, where Docker runs.
class PebbleContainerTest extends OrderCases {

    @Override
    Pebble start(Path files, Pebble.Manner manner, Workers reachable) throws Exception {
        Assumptions.assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "needs a Docker engine");
        return new PebbleContainers(files, manner, reachable);
    }
}
