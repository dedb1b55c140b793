package io.servery.acme.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.acme.Issuer;
import io.servery.acme.renewal.History;
import io.servery.core.tls.Identity;
import io.servery.core.tls.KeyPairs;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept, for whom, and what becomes of damage.
class StateDirectoryTest {
    private static final URI AUTHORITY = URI.create("https://ca.example/dir");
    private static final List<String> NAMES = List.of("example.com", "www.example.com");

    private static Issuer issuer;
    private static KeyPair key;
    private static Identity chain;

    @TempDir
    private Path root;

    @BeforeAll
    static void issue() throws Exception {
        issuer = Issuer.root();
        key = Issuer.key();
        chain = issuer.identity(Issuer.Wish.of("example.com"), key);
    }

    @Test
    void emptyDirectoryHasNothing() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            assertThat(List.of(state.account(), state.certificate(), state.candidate(), state.order(), state.history()))
                    .allSatisfy(loaded -> assertThat(loaded).isInstanceOf(Loaded.Absent.class));
        }
    }

    @Test
    void whatIsKeptIsFoundByTheNext() throws Exception {
        History history = new History(3, Optional.of(Instant.parse("2026-01-01T00:00:00.123Z")),
                Optional.of(Instant.parse("2026-01-02T00:00:00Z")), Optional.empty());
        PendingOrder order = PendingOrder.placed(URI.create("https://ca.example/order/7"), Optional.of("classic"), key)
                .failed();
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepAccount(new KeptAccount(key, true, Optional.of("a@example.com")));
            state.keepOrder(order);
            state.keepHistory(history);
            state.keepCandidate(chain);
            assertThat(state.certificate().whole()).isEmpty();
            state.promoteCandidate();
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            assertThat(state.account().whole()).hasValueSatisfying(account -> {
                assertThat(account.key().getPublic()).isEqualTo(key.getPublic());
                assertThat(account.key().getPrivate()).isEqualTo(key.getPrivate());
                assertThat(account.told()).isTrue();
                assertThat(account.email()).contains("a@example.com");
            });
            assertThat(state.order().whole()).hasValueSatisfying(found -> {
                assertThat(found.location()).isEqualTo(order.location());
                assertThat(found.profile()).contains("classic");
                assertThat(found.failures()).isEqualTo(1);
                assertThat(found.key().getPrivate()).isEqualTo(key.getPrivate());
            });
            assertThat(state.history().whole()).contains(history);
            assertThat(state.candidate()).isInstanceOf(Loaded.Absent.class);
            Identity found = state.certificate().whole().orElseThrow();
            assertThat(found.chain()).isEqualTo(chain.chain());
            assertThat(found.key()).isEqualTo(chain.key());
            state.discardOrder();
            assertThat(state.order()).isInstanceOf(Loaded.Absent.class);
        }
    }

    @Test
    void otherNamesAndOtherAuthoritiesBeginAnewAndTheFormerAreFoundAgain() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepAccount(new KeptAccount(key, true, Optional.empty()));
            state.keepCandidate(chain);
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), List.of("example.com"));
            assertThat(state.candidate()).isInstanceOf(Loaded.Absent.class);
            assertThat(state.account().whole()).isPresent();
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(URI.create("https://other.example/dir"), Optional.empty(), NAMES);
            assertThat(state.candidate()).isInstanceOf(Loaded.Absent.class);
            assertThat(state.account()).isInstanceOf(Loaded.Absent.class);
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.of("kid-1"), NAMES);
            assertThat(state.candidate().whole()).as("names are the same").isPresent();
            assertThat(state.account()).as("another external account").isInstanceOf(Loaded.Absent.class);
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES.reversed());
            assertThat(state.candidate().whole()).isPresent();
        }
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            assertThat(state.candidate().whole()).isPresent();
        }
    }

    /// They kept a key alone, whatever account it was for.
    @Test
    void accountOfABuildBeforeIsFoundByTheFirstExternalAccountThatLooks() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            held.of(AUTHORITY, Optional.empty(), NAMES).keepAccount(KeptAccount.untold(key));
            Files.write(file("account"), Envelope.seal("account", KeyPairs.pem(key)));
        }
        try (StateRoot held = StateRoot.open(root)) {
            for (int start = 0; start < 2; start++) {
                assertThat(held.of(AUTHORITY, Optional.of("kid-1"), NAMES).account().whole())
                        .hasValueSatisfying(account -> {
                            assertThat(account.key().getPrivate()).isEqualTo(key.getPrivate());
                            assertThat(account.told()).isFalse();
                        });
            }
            assertThat(held.of(AUTHORITY, Optional.of("kid-2"), NAMES).account()).isInstanceOf(Loaded.Absent.class);
            assertThat(held.of(AUTHORITY, Optional.empty(), NAMES).account()).isInstanceOf(Loaded.Absent.class);
        }
    }

    @Test
    void accountThatIsThereIsNotReplacedByThatOfABuildBeforeAndDamageStaysWhereItIs() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory external = held.of(AUTHORITY, Optional.of("kid-1"), NAMES);
            external.keepAccount(new KeptAccount(Issuer.key(), true, Optional.empty()));
            StateDirectory plain = held.of(AUTHORITY, Optional.empty(), NAMES);
            plain.keepAccount(KeptAccount.untold(key));
            assertThat(held.of(AUTHORITY, Optional.of("kid-1"), NAMES).account().whole().orElseThrow().told()).isTrue();
            assertThat(plain.account().whole()).isPresent();
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path account : all.filter(path -> path.getFileName().toString().equals("account")).toList()) {
                Files.writeString(account, "garbage");
            }
        }
        try (StateRoot held = StateRoot.open(root)) {
            assertThat(held.of(AUTHORITY, Optional.of("kid-2"), NAMES).account()).isInstanceOf(Loaded.Absent.class);
            assertThat(held.of(AUTHORITY, Optional.empty(), NAMES).account()).as("said by whom it belongs to")
                    .isInstanceOf(Loaded.Damaged.class);
        }
    }

    @Test
    void orderOfABuildThatDidNotCountFailuresIsTakenUp() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepOrder(PendingOrder.placed(AUTHORITY, Optional.empty(), key));
            Files.write(file("order"), Envelope.seal("order", "location https://ca.example/order/7\n"
                    + KeyPairs.pem(key)));
            assertThat(state.order().whole()).hasValueSatisfying(order -> {
                assertThat(order.failures()).isZero();
                assertThat(order.location()).hasPath("/order/7");
            });
            Files.write(file("order"), Envelope.seal("order", "location https://ca.example/order/7\nfailures x\n"
                    + KeyPairs.pem(key)));
            assertThat(state.order()).isInstanceOf(Loaded.Damaged.class);
        }
    }

    @Test
    void secondOwnerIsRefusedUntilTheFirstHasClosed() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory first = held.of(AUTHORITY, Optional.empty(), NAMES);
            assertThatThrownBy(() -> StateRoot.open(root)).isInstanceOf(StateException.class)
                    .hasMessageContaining("lock: found the lock"
                            + " taken; expected no other process");
            assertThat(first.account()).isInstanceOf(Loaded.Absent.class);
        }
        StateRoot.open(root).close();
    }

    @Test
    void everythingIsForItsOwnerAlone() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepAccount(KeptAccount.untold(key));
            state.keepCandidate(chain);
        }
        try (Stream<Path> made = Files.walk(root.resolve("acme"))) {
            assertThat(made).hasSizeGreaterThan(4).allSatisfy(path -> assertThat(PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(path))).endsWith("------"));
        }
    }

    @Test
    void directoryOrFileThatOthersMayReadIsRefusedAndNamed() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepCandidate(chain);
            Path candidate = file("candidate");
            Files.setPosixFilePermissions(candidate, PosixFilePermissions.fromString("rw-r-----"));
            assertThatThrownBy(state::candidate).isInstanceOf(StateException.class).hasMessageContaining(candidate
                    + ": found the mode rw-r-----; expected no access for group and others");
        }
        Files.setPosixFilePermissions(root.resolve("acme"), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> StateRoot.open(root)).isInstanceOf(StateException.class)
                .hasMessageContaining("rwxr-xr-x");
    }

    @Test
    void linkInPlaceOfAFileIsRefused() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepCandidate(chain);
            Path candidate = file("candidate");
            Files.move(candidate, root.resolve("elsewhere"));
            Files.createSymbolicLink(candidate, root.resolve("elsewhere"));
            assertThatThrownBy(state::candidate).isInstanceOf(StateException.class).hasMessageContaining(
                    "found no regular file");
        }
    }

    /// A bit, a byte, a cut or an addition, anywhere.
    @Test
    void damagedFileCountsAsAbsentIsKeptAsideAndSaid() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            for (int round = 0; round < 100; round++) {
                state.keepCandidate(chain);
                Path candidate = file("candidate");
                byte[] damaged = damaged(Files.readAllBytes(candidate), random);
                Files.write(candidate, damaged);
                assertThat(state.candidate()).as("seed " + seed + ", round " + round).isInstanceOfSatisfying(
                        Loaded.Damaged.class, damage -> {
                            assertThat(damage.keptAs()).hasFileName("candidate.damaged").hasBinaryContent(damaged);
                            assertThat(damage.why()).contains("found", "expected");
                        });
                assertThat(state.candidate()).isInstanceOf(Loaded.Absent.class);
            }
        }
    }

    @Test
    void fileOfTheWrongKindIsDamage() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepCandidate(chain);
            Files.copy(file("candidate"), file("candidate").resolveSibling("certificate"));
            Files.setPosixFilePermissions(file("certificate"), PosixFilePermissions.fromString("rw-------"));
            assertThat(state.certificate()).isInstanceOf(Loaded.Damaged.class);
        }
    }

    @Test
    void hugeFileIsDamageAndIsNotReadWhole() throws Exception {
        try (StateRoot held = StateRoot.open(root)) {
            StateDirectory state = held.of(AUTHORITY, Optional.empty(), NAMES);
            state.keepHistory(History.none());
            try (FileChannel channel = FileChannel.open(file("history"),
                    StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[1]), 1L << 40);
            }
            assertThat(state.history()).isInstanceOfSatisfying(Loaded.Damaged.class,
                    damage -> assertThat(damage.why()).contains("bytes"));
        }
    }

    @Test
    void leftoversOfAWriterAreRemoved() throws Exception {
        touch();
        Path leftover;
        try (Stream<Path> directories = Files.list(root.resolve("acme"))) {
            leftover = directories.filter(path -> path.getFileName().toString().startsWith("example.com")).findFirst()
                    .orElseThrow().resolve("certificate.new");
        }
        Files.writeString(leftover, "half of");
        touch();
        assertThat(leftover).doesNotExist();
    }

    @Test
    void keyIsNeverPrinted() {
        assertThat(chain.toString() + PendingOrder.placed(AUTHORITY, Optional.empty(), key)
                + KeptAccount.untold(key)).doesNotContain("PRIVATE").doesNotContain(
                        key.getPrivate().toString());
    }

    private void touch() throws IOException {
        try (StateRoot held = StateRoot.open(root)) {
            held.of(AUTHORITY, Optional.empty(), NAMES);
        }
    }

    private Path file(String kind) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> path.getFileName().toString().equals(kind)).findFirst().orElseThrow();
        }
    }

    private static byte[] damaged(byte[] content, Random random) {
        int at = random.nextInt(content.length);
        return switch (random.nextInt(4)) {
            case 0 -> {
                content[at] ^= (byte) (1 << random.nextInt(8));
                yield content;
            }
            case 1 -> Arrays.copyOf(content, at);
            case 2 -> Arrays.copyOf(content, content.length + 1 + random.nextInt(100));
            default -> {
                content[at] = (byte) (content[at] + 1 + random.nextInt(255));
                yield content;
            }
        };
    }
}
