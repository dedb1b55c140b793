package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.StaticFiles.Symlinks;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The contract where `openat2` is missing: an old kernel, or a filter that refuses it.
class WalkContainedRootTest extends RootContract {
    @Override
    FaultyCalls calls() {
        return FaultyCalls.withoutOpenat2();
    }

    @Test
    void walkContainsLookups() throws IOException {
        assertThat(root(Symlinks.INSIDE).containedByKernel()).isFalse();
        assertThat(root(Symlinks.INSIDE, new FaultyCalls().fail("openat2", Errno.EPERM)).containedByKernel()).isFalse();
    }
}
