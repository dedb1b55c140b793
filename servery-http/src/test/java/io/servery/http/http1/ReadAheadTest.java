package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.servery.http.exchange.AcquiredFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is to be sent of a file is in memory first, whatever becomes of who asked meanwhile.
class ReadAheadTest {
    private static final long BEGIN = 1_000;
    private static final long END = BEGIN + 2L * ReadAhead.SEGMENT_BYTES;

    @TempDir
    Path directory;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final AtomicInteger told = new AtomicInteger();
    private final ReadAhead ahead = new ReadAhead(channel.eventLoop(), told::incrementAndGet);
    private final CountedFiles files = new CountedFiles();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private AcquiredFile file;

    @BeforeEach
    void begin() throws Exception {
        channel.freezeTime();
        files.disk = waiting::add;
        file = files.open(CountedFiles.make(directory, 1));
        ahead.begin(BEGIN);
    }

    @AfterEach
    void close() {
        file.close();
        channel.close();
    }

    private long available(long position) {
        return ahead.available(file, position, END);
    }

    private void diskIsDone() {
        waiting.remove().run();
        channel.runPendingTasks();
    }

    @Test
    void whatIsInMemoryIsAvailableASegmentAtATime() {
        assertThat(available(BEGIN)).isEqualTo(ReadAhead.SEGMENT_BYTES);
        assertThat(available(BEGIN + 1)).as("within what was found").isEqualTo(ReadAhead.SEGMENT_BYTES - 1);
        assertThat(available(END - ReadAhead.SEGMENT_BYTES)).isEqualTo(ReadAhead.SEGMENT_BYTES);
        assertThat(waiting).isEmpty();
    }

    @Test
    void whatIsNotComesOnceItWasBroughtIn() {
        files.inMemory = BEGIN;
        assertThat(available(BEGIN)).isZero();
        channel.runPendingTasks();
        assertThat(told).as("told before the disk was done").hasValue(0);
        diskIsDone();
        assertThat(told).hasValue(1);
        assertThat(available(BEGIN)).isEqualTo(ReadAhead.BROUGHT_BYTES);
    }

    @Test
    void whatIsThereIsAvailableBeforeTheDiskIsWaitedFor() {
        files.inMemory = BEGIN + 300;
        assertThat(available(BEGIN)).isEqualTo(300);
        assertThat(waiting).isEmpty();
        assertThat(available(BEGIN + 300)).isZero();
        assertThat(waiting).hasSize(1);
    }

    /// No more than is wanted.
    @Test
    void lastPartIsBroughtInAsLongAsItIs() {
        files.inMemory = BEGIN;
        assertThat(ahead.available(file, BEGIN, BEGIN + 10)).isZero();
        diskIsDone();
        assertThat(files.inMemory).isEqualTo(BEGIN + 10);
        assertThat(ahead.available(file, BEGIN, BEGIN + 10)).isEqualTo(10);
    }

    @Test
    void bytesThatAreNotThereAfterAllAreAvailableToWhoFindsOutWhy() {
        files.inMemory = BEGIN;
        assertThat(available(BEGIN)).isZero();
        files.inMemory = BEGIN;
        diskIsDone();
        assertThat(available(BEGIN)).isEqualTo(ReadAhead.BROUGHT_BYTES);
    }

    @Test
    void whereThereIsNoRoomForItThereIsAnotherLookLater() {
        files.inMemory = BEGIN;
        files.full.set(2);
        for (int looks = 1; looks <= 2; looks++) {
            assertThat(available(BEGIN)).isZero();
            channel.runScheduledPendingTasks();
            assertThat(told).as("told at once").hasValue(looks - 1);
            channel.advanceTimeBy(10, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            assertThat(told).hasValue(looks);
        }
        assertThat(available(BEGIN)).isZero();
        diskIsDone();
        assertThat(available(BEGIN)).isEqualTo(ReadAhead.BROUGHT_BYTES);
    }

    @Test
    void nobodyIsToldOfWhatWasAwaitedBefore() {
        files.inMemory = BEGIN;
        assertThat(available(BEGIN)).isZero();
        ahead.begin(BEGIN + 7);
        diskIsDone();
        files.inMemory = BEGIN + 7;
        assertThat(available(BEGIN + 7)).isZero();
        ahead.end();
        diskIsDone();
        assertThat(told).hasValue(0);
    }

    @Test
    void eventLoopThatIsGoneIsNoFailureOfTheDisk() {
        files.inMemory = BEGIN;
        assertThat(available(BEGIN)).isZero();
        channel.close();
        diskIsDone();
        assertThat(told).hasValueLessThanOrEqualTo(1);
    }
}
