package io.servery.core.control;

import io.servery.core.control.FrameReader.Size;
import io.servery.core.control.Report.Count;
import io.servery.core.control.Report.Drained;
import io.servery.core.control.Report.Exiting;
import io.servery.core.control.Report.Failed;
import io.servery.core.control.Report.Heartbeat;
import io.servery.core.control.Report.Hello;
import io.servery.core.control.Report.Identified;
import io.servery.core.control.Report.MetricsSnapshot;
import io.servery.core.control.Report.Posted;
import io.servery.core.control.Report.Prepared;
import io.servery.core.control.Report.Ready;
import io.servery.core.control.Report.Released;
import io.servery.core.reason.Reason;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The bytes of reports. The numbers of types are those of the wire and never change their meaning; none is one of an
/// order, so that a stream read as the other is noticed at its first frame.
public final class ReportCodec {
    private static final int HELLO = 65;
    private static final int PREPARED = 66;
    private static final int READY = 67;
    private static final int HEARTBEAT = 68;
    private static final int RELEASED = 69;
    private static final int FAILED = 70;
    private static final int DRAINED = 71;
    private static final int METRICS_SNAPSHOT = 72;
    private static final int EXITING = 73;
    private static final int IDENTIFIED = 74;
    private static final int POSTED = 75;

    private static final int REASON_BYTES_MAX = 64;

    private ReportCodec() {
    }

    /// One frame.
    public static byte[] encode(Report report) {
        return switch (report) {
            case Hello(int version, String build, String token) ->
                new FrameWriter(HELLO).number32(version).text(build).text(token).frame();
            case Prepared() -> new FrameWriter(PREPARED).frame();
            case Ready() -> new FrameWriter(READY).frame();
            case Heartbeat(int loop, int connections, long requests) ->
                new FrameWriter(HEARTBEAT).number32(loop).number32(connections).number64(requests).frame();
            case Released(long number, List<Shard> shards) ->
                new FrameWriter(RELEASED).number64(number).shards(shards).frame();
            case Failed(Reason reason, String cause) ->
                new FrameWriter(FAILED).text(reason.code()).text(cause).frame();
            case Drained(long forced) -> new FrameWriter(DRAINED).number64(forced).frame();
            case MetricsSnapshot(List<Count> counts, ProcessFigures process) -> FiguresCodec
                    .write(process, new FrameWriter(METRICS_SNAPSHOT)
                            .list(counts, (frame, one) -> frame.number32(one.series()).number64(one.value())))
                    .frame();
            case Exiting(int code, String cause) -> new FrameWriter(EXITING).number32(code).text(cause).frame();
            case Identified(long number, String refusal) ->
                new FrameWriter(IDENTIFIED).number64(number).text(refusal).frame();
            case Posted(long number, String refusal) ->
                new FrameWriter(POSTED).number64(number).text(refusal).frame();
        };
    }

    /// The next report, if the buffer holds all of it.
    public static Decoded<Report> decode(ByteBuffer buffer) {
        return FrameReader.read(buffer, Bounds.REPORT_BYTES_MAX, ReportCodec::fields);
    }

    private static @Nullable Supplier<Report> fields(int type, FrameReader frame) {
        return switch (type) {
            case HELLO -> hello(frame);
            case PREPARED -> Prepared::new;
            case READY -> Ready::new;
            case HEARTBEAT -> heartbeat(frame);
            case RELEASED -> {
                long number = frame.number64("number", 0, Long.MAX_VALUE);
                List<Shard> shards = frame.shards();
                yield () -> new Released(number, shards);
            }
            case FAILED -> failed(frame);
            case DRAINED -> {
                long forced = frame.number64("forced", 0, Long.MAX_VALUE);
                yield () -> new Drained(forced);
            }
            case METRICS_SNAPSHOT -> metricsSnapshot(frame);
            case EXITING -> {
                int code = frame.number32("code", 0, 255);
                String cause = frame.text("cause", Bounds.CAUSE_BYTES_MAX);
                yield () -> new Exiting(code, cause);
            }
            case IDENTIFIED -> {
                long number = frame.number64("number", 0, Long.MAX_VALUE);
                String refusal = frame.text("refusal", Bounds.CAUSE_BYTES_MAX);
                yield () -> new Identified(number, refusal);
            }
            case POSTED -> {
                long number = frame.number64("number", 0, Long.MAX_VALUE);
                String refusal = frame.text("refusal", Bounds.CAUSE_BYTES_MAX);
                yield () -> new Posted(number, refusal);
            }
            default -> null;
        };
    }

    private static Supplier<Report> hello(FrameReader frame) {
        int version = frame.number32("version", Bounds.VERSION, Bounds.VERSION);
        String build = frame.text("build", Bounds.BUILD_BYTES_MAX);
        String token = frame.text("token", Bounds.TOKEN_BYTES_MAX);
        return () -> new Hello(version, build, token);
    }

    private static Supplier<Report> heartbeat(FrameReader frame) {
        int loop = frame.number32("loop", 0, Bounds.LOOPS_MAX - 1);
        int connections = frame.number32("connections", 0, Integer.MAX_VALUE);
        long requests = frame.number64("requests", 0, Long.MAX_VALUE);
        return () -> new Heartbeat(loop, connections, requests);
    }

    private static Supplier<Report> failed(FrameReader frame) {
        String code = frame.text("reason", REASON_BYTES_MAX);
        Optional<Reason> reason = Failed.REASONS.stream().filter(one -> one.code().equals(code)).findFirst();
        if (reason.isEmpty()) {
            frame.fail("reason: found none that a worker gives");
        }
        String cause = frame.text("cause", Bounds.CAUSE_BYTES_MAX);
        return () -> new Failed(reason.orElseThrow(), cause);
    }

    private static Supplier<Report> metricsSnapshot(FrameReader frame) {
        List<Count> counts = frame.list("counts", new Size(0, Bounds.COUNTS_MAX), fields -> new Count(
                fields.number32("series", 0, Bounds.COUNTS_MAX - 1),
                fields.number64("value", Long.MIN_VALUE, Long.MAX_VALUE)));
        frame.ascending("counts", counts.stream().map(Count::series).toList());
        Supplier<ProcessFigures> process = FiguresCodec.read(frame);
        return () -> new MetricsSnapshot(counts, process.get());
    }
}
