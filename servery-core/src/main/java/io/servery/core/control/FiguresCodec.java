package io.servery.core.control;

import io.servery.core.control.FrameReader.Size;
import io.servery.core.control.ProcessFigures.Area;
import io.servery.core.control.ProcessFigures.Collected;
import io.servery.core.control.ProcessFigures.Pool;
import io.servery.core.control.ProcessFigures.Reading;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// The figures of a process as fields of a frame: threads, readings, areas, pools, collectors.
final class FiguresCodec {
    private static final Size SIZE = new Size(0, Bounds.FIGURES_MAX);

    private FiguresCodec() {
    }

    static FrameWriter write(ProcessFigures process, FrameWriter frame) {
        return frame.number32(process.threads())
                .list(process.readings(), (fields, one) -> fields.number32(one.kind()).number64(one.value()))
                .list(process.areas(), (fields, one) -> fields.text(one.name()).number64(one.usedBytes())
                        .number64(one.committedBytes()).number64(one.maxBytes()))
                .list(process.pools(),
                        (fields, one) -> fields.text(one.name()).number64(one.usedBytes()).number64(one.buffers()))
                .list(process.collectors(),
                        (fields, one) -> fields.text(one.name()).number64(one.count()).number64(one.micros()));
    }

    static Supplier<ProcessFigures> read(FrameReader frame) {
        int threads = frame.number32("threads", 0, Integer.MAX_VALUE);
        List<Reading> readings = frame.list("readings", new Size(0, ProcessFigures.KIND_MAX + 1), fields -> new Reading(
                fields.number32("kind", 0, ProcessFigures.KIND_MAX), fields.number64("value", 0, Long.MAX_VALUE)));
        frame.ascending("readings", readings.stream().map(Reading::kind).toList());
        List<Area> areas = frame.list("areas", SIZE, fields -> new Area(name(fields), any(fields), any(fields),
                any(fields)));
        distinct("areas", areas, Area::name, frame);
        List<Pool> pools = frame.list("pools", SIZE, fields -> new Pool(name(fields), any(fields), any(fields)));
        distinct("pools", pools, Pool::name, frame);
        List<Collected> collectors = frame.list("collectors", SIZE,
                fields -> new Collected(name(fields), any(fields), any(fields)));
        distinct("collectors", collectors, Collected::name, frame);
        return () -> new ProcessFigures(threads, readings, areas, pools, collectors);
    }

    private static String name(FrameReader fields) {
        return fields.text("name", Bounds.FIGURE_NAME_BYTES_MAX);
    }

    private static long any(FrameReader fields) {
        return fields.number64("value", Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static <T> void distinct(String what, List<T> values, Function<T, String> name, FrameReader frame) {
        if (values.stream().map(name).distinct().count() < values.size()) {
            frame.fail(what + ": found a name twice; expected each once");
        }
    }
}
