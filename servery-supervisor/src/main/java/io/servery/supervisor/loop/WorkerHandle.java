package io.servery.supervisor.loop;

import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.WorkerId;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.loop.Revisions.Revision;
import io.servery.supervisor.process.ChildProcess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One worker as the loop holds it: its process, and its control channel once it has connected.
///
/// *Owner*: the loop. *Invariant*: no report before a sound Hello gets through.
final class WorkerHandle implements Poller.Watched {
    /// Where what is heard of a worker goes.
    interface Hearing {
        void reported(WorkerHandle worker, Report report);

        /// Its channel has ended.
        ///
        /// @param gone whether by itself: how its process ends then says more
        void ended(WorkerHandle worker, String how, boolean gone);
    }

    private static final int LAST_TURNS_MAX = 16;

    private final WorkerId id;
    private final ChildProcess process;
    private final String build;
    private final Moment since = new Moment(System.nanoTime());
    private Revision revision;
    private final Hearing hearing;
    private @Nullable ControlChannel<Report, Order> channel;
    private boolean introduced;
    private boolean endTold;

    /// @param revision the configuration that it is given
    /// @param build what it must be of
    WorkerHandle(WorkerId id, ChildProcess process, Revision revision, String build, Hearing hearing) {
        this.id = id;
        this.process = process;
        this.revision = revision;
        this.build = build;
        this.hearing = hearing;
    }

    WorkerId id() {
        return id;
    }

    ChildProcess process() {
        return process;
    }

    /// When it was started.
    Moment since() {
        return since;
    }

    /// The configuration that it has, hot values included.
    Revision revision() {
        return revision;
    }

    void has(Revision next) {
        revision = next;
    }

    /// Whether it has no channel yet: the first connection of its process is its channel.
    boolean awaitsChannel() {
        return channel == null && !endTold;
    }

    void connected(UnixSocket socket) {
        channel = ControlChannel.ofParent(socket);
    }

    boolean isIntroduced() {
        return channel != null && introduced;
    }

    /// Whether it has taken every order that was sent: one that stands still is asked nothing that can wait.
    boolean reads() {
        return channel != null && !channel.wantsToWrite();
    }

    /// Sends an order; to a channel that is closed nothing is sent.
    ///
    /// @param descriptors beside it
    void send(Order order, List<Integer> descriptors) {
        if (channel != null) {
            channel.send(order, descriptors);
            tellEnd(channel);
        }
    }

    @Override
    public int descriptor() {
        return channel == null ? -1 : channel.socket().descriptor();
    }

    @Override
    public boolean wantsToWrite() {
        return channel != null && channel.wantsToWrite();
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        if (channel == null) {
            return;
        }
        ControlChannel<Report, Order> open = channel;
        if (writable) {
            open.flush();
            tellEnd(open);
        }
        if (readable) {
            receive();
        }
    }

    /// Reads what is there, as far as one turn goes.
    ///
    /// @return whether nothing is left
    boolean receive() {
        ControlChannel<Report, Order> open = channel;
        if (open == null) {
            return true;
        }
        boolean all = open.receive(report -> heard(report, open));
        tellEnd(open);
        return all;
    }

    /// Reads what a process that has ended said last.
    void receiveLast() {
        for (int turn = 0; turn < LAST_TURNS_MAX && !receive(); turn++) {
            // Its socket held no more than a few turns of it; a process that it left behind may go on for ever.
        }
    }

    private void heard(Report report, ControlChannel<Report, Order> from) {
        if (introduced) {
            hearing.reported(this, report);
        } else if (report instanceof Report.Hello hello && isSound(hello)) {
            introduced = true;
            hearing.reported(this, report);
        } else {
            from.close();
            lost(report instanceof Report.Hello hello && hello.build().equals(build)
                    ? "came with another token than it was given"
                    : "is of another build than its parent: was the jar replaced? stop and start the service", false);
        }
    }

    private boolean isSound(Report.Hello hello) {
        return hello.build().equals(build) && MessageDigest.isEqual(
                hello.token().getBytes(StandardCharsets.UTF_8), process.token().getBytes(StandardCharsets.UTF_8));
    }

    private void tellEnd(ControlChannel<Report, Order> of) {
        String how = of.end();
        if (how != null) {
            of.close();
            lost(how, of.isPeerGone());
        }
    }

    private void lost(String how, boolean gone) {
        channel = null;
        if (!endTold) {
            endTold = true;
            hearing.ended(this, how, gone);
        }
    }

    /// Lets go of what the parent holds of it; its process was reaped, or is left to itself.
    void close() {
        endTold = true;
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    @Override
    public String toString() {
        return "worker " + id + " " + process + (introduced ? "" : ", not introduced");
    }
}
