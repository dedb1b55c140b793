package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.StaticFiles.Symlinks;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The contract where the kernel has `openat2`.
class KernelContainedRootTest extends RootContract {
    @Override
    FaultyCalls calls() {
        return new FaultyCalls();
    }

    @Test
    void kernelContainsLookups() throws IOException {
        assertThat(root(Symlinks.INSIDE).containedByKernel()).isTrue();
    }

    @Test
    void lookupThatKeepsRacingIsDoneByTheWalk() throws IOException {
        FaultyCalls calls = calls();
        Root root = root(Symlinks.INSIDE, calls);
        calls.fail("openat2", Errno.EAGAIN);
        // Where it leads cannot be looked up either: the answer is a fault of the host, not of the name.
        assertThat(root.open("page.html")).isInstanceOf(Opened.Refused.class);
        Root strict = root(Symlinks.DENY, calls.fail("openat2", 0));
        calls.fail("openat2", Errno.EAGAIN);
        assertThat(content(strict.open("a/b/deep.txt"))).isEqualTo("deep");
    }
}
