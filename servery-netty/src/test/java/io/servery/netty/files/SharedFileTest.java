package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.core.config.StaticFiles.Symlinks;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Opened;
import io.servery.netty.files.open.OpenedFile;
import io.servery.netty.files.open.Root;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that several send at once: closed by the last, and brought into memory by the lane whoever left meanwhile.
class SharedFileTest {
    private static final int BYTES = 1_000_000;
    private static final int EAGAIN = 11;

    @TempDir
    Path directory;

    private final FaultyCalls calls = new FaultyCalls();
    private final AtomicInteger looks = new AtomicInteger();
    private final Queue<Throwable> bugs = new ConcurrentLinkedQueue<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(1, 1), Lane.QueueObserver.NONE, bugs::add);
    private OpenedFile opened;
    private SharedFile file;

    @BeforeEach
    void open() throws Exception {
        Files.write(directory.resolve("file"), new byte[BYTES]);
        try (Root root = Roots.open(directory, Symlinks.INSIDE, calls)) {
            opened = ((Opened.File) root.open("file")).file();
        }
        calls.before("peek", looks::incrementAndGet);
        file = new SharedFile(opened, lane);
    }

    @AfterEach
    void end() {
        lane.close();
        assertThat(bugs).isEmpty();
        assertThat(opened.channel().isOpen()).as("left open").isFalse();
    }

    /// A popular file is not looked at for each answer.
    @Test
    void fileThatWasFoundInMemoryAsAWholeIsNotLookedAtAgainAtOnce() {
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        int once = looks.get();
        assertThat(once).isPositive();
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        assertThat(looks).hasValue(once);
        assertThat(file.inMemory(1, BYTES - 1)).as("another part").isEqualTo(BYTES - 1);
        assertThat(looks).hasValueGreaterThan(once);
        file.close();
    }

    @Test
    void whatWasNotFoundIsLookedForEachTime() {
        calls.fail("peek", EAGAIN);
        assertThat(file.inMemory(0, BYTES)).isZero();
        calls.fail("peek", 0);
        assertThat(file.inMemory(0, BYTES)).isEqualTo(BYTES);
        file.close();
    }

    @Test
    void fileIsHeldUntilTheLaneIsDoneWithIt() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        GatedWork first = new GatedWork(gate);
        assertThat(lane.offer(first)).isTrue();
        CountDownLatch told = new CountDownLatch(1);
        assertThat(file.bringIn(0, BYTES, told::countDown)).isTrue();
        file.close();
        assertThat(opened.channel().isOpen()).as("open for the lane").isTrue();
        assertThat(told.getCount()).isOne();
        gate.countDown();
        told.await();
    }

    @Test
    void laneWithoutRoomSaysSoAndHoldsNothing() {
        CountDownLatch gate = new CountDownLatch(1);
        assertThat(lane.offer(new GatedWork(gate))).isTrue();
        assertThat(lane.offer(new GatedWork(gate))).isTrue();
        assertThat(file.bringIn(0, BYTES, () -> bugs.add(new AssertionError("told of what was refused")))).isFalse();
        file.close();
        gate.countDown();
    }

    /// One place in the lane, of which there is one; all are told, and another part is another work.
    @Test
    void whoWantsWhatIsBroughtInAlreadyWaitsForThat() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        GatedWork running = new GatedWork(gate);
        assertThat(lane.offer(running)).isTrue();
        running.started().await();
        CountDownLatch told = new CountDownLatch(3);
        assertThat(file.bringIn(1_000, 10_000, told::countDown)).isTrue();
        assertThat(file.bringIn(1_000, 10_000, told::countDown)).isTrue();
        assertThat(file.bringIn(10_999, 1, told::countDown)).isTrue();
        assertThat(file.bringIn(999, 1, told::countDown)).as("before it, without room").isFalse();
        assertThat(file.bringIn(10_999, 2, told::countDown)).as("beyond it, without room").isFalse();
        assertThat(told.getCount()).isEqualTo(3);
        gate.countDown();
        told.await();
        CountDownLatch again = new CountDownLatch(1);
        assertThat(file.bringIn(1_000, 10_000, again::countDown)).as("anew").isTrue();
        again.await();
        file.close();
    }

    @Test
    void laneThatClosesTellsWhoWaits() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        assertThat(lane.offer(new GatedWork(gate))).isTrue();
        CountDownLatch told = new CountDownLatch(1);
        assertThat(file.bringIn(0, BYTES, told::countDown)).isTrue();
        lane.close();
        told.await();
        file.close();
        gate.countDown();
    }

    @Test
    void fileThatIsClosedIsNotBroughtIn() {
        file.close();
        assertThatThrownBy(() -> file.bringIn(0, BYTES, () -> bugs.add(new AssertionError("told"))))
                .isInstanceOf(IllegalStateException.class);
    }
}
