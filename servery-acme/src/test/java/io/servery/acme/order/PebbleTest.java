package io.servery.acme.order;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Orders at the `pebble` of this machine.
class PebbleTest extends OrderCases {

    @Override
    Pebble start(Path files, Pebble.Manner manner, Workers reachable) throws Exception {
        Assumptions.assumeTrue(PebbleProcess.isInstalled(), "needs the programs pebble and pebble-challtestsrv");
        return PebbleProcess.start(files, manner, reachable);
    }
}
