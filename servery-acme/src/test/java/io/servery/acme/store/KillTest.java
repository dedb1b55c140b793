package io.servery.acme.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.tls.Identity;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// kill -9 of a real process at any instant of its writing. `-Dservery.acme.kills=…` is the long form,
/// `-Dservery.acme.seed=…` repeats the moments.
class KillTest {
    private static final int KILLS = Integer.getInteger("servery.acme.kills", 15);
    private static final long WAIT_MICROS_MAX = 30_000;

    @TempDir
    private Path root;

    @Test
    void whatWasKeptIsWholeAndTheLastOrTheNext() throws Exception {
        long seed = Long.getLong("servery.acme.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            String where = "seed " + seed + ", kill " + kill;
            Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", System.getProperty("java.class.path"),
                    StateWriter.class.getName(), root.toString()).redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String acknowledged;
            try (BufferedReader out = writer.inputReader()) {
                for (int i = random.nextInt(5); i >= 0; i--) {
                    assertThat(out.readLine()).as(where).isNotNull();
                }
                writer.waitFor(random.nextLong(WAIT_MICROS_MAX), TimeUnit.MICROSECONDS);
                // Not that of the process itself, which closes its output.
                writer.toHandle().destroyForcibly();
                assertThat(writer.waitFor(20, TimeUnit.SECONDS)).as(where).isTrue();
                List<String> rest = out.lines().toList();
                acknowledged = rest.isEmpty() ? "" : rest.getLast();
            }
            verify(acknowledged, where);
        }
    }

    /// @param acknowledged the serial of what was kept for certain, or nothing
    private void verify(String acknowledged, String where) throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(StateWriter.AUTHORITY, Optional.empty(), StateWriter.NAMES);
            for (Loaded<?> loaded : List.of(state.account(), state.order(), state.candidate(), state.certificate())) {
                assertThat(loaded).as(where).isNotInstanceOf(Loaded.Damaged.class);
            }
            Identity found = state.certificate().whole().orElseThrow();
            assertThat(isPair(found.chain().getFirst(), found.key())).as(where).isTrue();
            KeyPair account = state.account().whole().orElseThrow().key();
            assertThat(account).as(where).isNotNull();
            if (!acknowledged.isEmpty()) {
                assertThat(found.chain().getFirst().getSerialNumber().longValueExact()).as(where).isBetween(
                        Long.parseLong(acknowledged), Long.parseLong(acknowledged) + 1);
            }
        }
    }

    private static boolean isPair(X509Certificate certificate, PrivateKey key) throws Exception {
        byte[] text = {1, 2, 3};
        Signature signing = Signature.getInstance("SHA256withECDSA");
        signing.initSign(key);
        signing.update(text);
        byte[] signature = signing.sign();
        signing.initVerify(certificate);
        signing.update(text);
        return signing.verify(signature);
    }
}
