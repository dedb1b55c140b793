package io.servery.netty.worker;

import io.servery.core.config.Logging;
import io.servery.core.config.Mount;
import io.servery.core.config.Resources;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.QueueName;
import io.servery.netty.files.FileSite;
import io.servery.netty.files.TimeSource;
import io.servery.netty.lane.Lane;
import io.servery.netty.start.WorkerCommand;
import io.servery.netty.thread.Scheduling;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a worker serves: the opened site, and the lanes on which it waits and works.
///
/// *Invariant:* what was opened is given back by `close`, in that order: the lanes take nothing more, the event loops end,
/// the lanes have ended, the site is closed.
record LanedSite(FileSite site, FileSite.Lanes lanes, Events events) {
    private static final int COMPUTE_NICENESS = 19;
    /// Work that hangs in a system call for longer is left to the end of the process.
    private static final Duration LANE_END = Duration.ofSeconds(1);

    /// Opened before anything else is made, so that the lanes are all there is to give back where it cannot be.
    ///
    /// @throws IOException when a directory that is to be served cannot be opened
    static LanedSite open(ServeryConfig config, MetricRegistry registry, Events events) throws IOException {
        Resources resources = config.resources();
        FileSite.Lanes lanes = new FileSite.Lanes(filesystemLane(resources.lanes().filesystem(), registry, events),
                computeLane(resources.lanes().compute(), registry, events));
        LanedSite opened = null;
        try {
            opened = new LanedSite(FileSite.open(mounts(config),
                    new FileSite.Limits(resources.smallFileBytes(), resources.fileCacheBytes(),
                            forms(resources, Long.getLong(WorkerCommand.FORM_BYTES, Long.MAX_VALUE))),
                    lanes, registry.sharedShard(), TimeSource.SYSTEM), lanes, events);
            return opened;
        } finally {
            if (opened == null) {
                closeLanes(lanes);
            }
        }
    }

    /// The bounds of compressed forms: what the configuration says, within what the parent found room for: then half is for those that are not kept.
    static FileSite.FormLimits forms(Resources resources, long room) {
        long kept = resources.compressionCacheBytes();
        return room < resources.formBytes()
                ? new FileSite.FormLimits(Math.min(kept, room / 2), room, resources.formHeapBytes())
                : new FileSite.FormLimits(kept, resources.formBytes(), resources.formHeapBytes());
    }

    private static Lane filesystemLane(Resources.Lane bounds, MetricRegistry registry, Events events) {
        return new Lane("filesystem", new Lane.Bounds(bounds.threads(), bounds.queue()),
                new LaneMeter(registry.queue(QueueName.FILESYSTEM, bounds.queue())), events::bug);
    }

    /// Its threads give way to event loops: a request that has to wait for a processor is worse than one that is answered
    /// with more bytes.
    private static Lane computeLane(Resources.ComputeLane bounds, MetricRegistry registry, Events events) {
        int threads = bounds.threads().orElse(Runtime.getRuntime().availableProcessors());
        return new Lane("compute", new Lane.Bounds(threads, bounds.queue(), bounds.bytes()),
                new LaneMeter(registry.lane(QueueName.COMPUTE, bounds.queue(), bounds.bytes())), events::bug,
                () -> Scheduling.giveWay(COMPUTE_NICENESS));
    }

    /// The mounts and, as the one that takes what they leave, the application.
    private static List<Mount> mounts(ServeryConfig config) {
        List<Mount> mounts = new ArrayList<>(config.mounts());
        switch (config.application()) {
            case StaticFiles files -> mounts.add(new Mount("/", files));
        }
        return mounts;
    }

    /// The lanes take no more work.
    void closeLanes() {
        closeLanes(lanes);
    }

    private static void closeLanes(FileSite.Lanes lanes) {
        lanes.compute().close();
        lanes.filesystem().close();
    }

    /// Waits for the work that runs, within a bound, and closes the site.
    void end() throws InterruptedException {
        end(lanes.compute());
        end(lanes.filesystem());
        site.close();
    }

    private void end(Lane lane) throws InterruptedException {
        if (!lane.awaitEnd(LANE_END)) {
            events.emit(Event.of(Logging.Level.WARN, "lane.abandoned").with("message", lane.toString()));
        }
    }
}
