package io.servery.core.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The fields of one frame while they are read.
///
/// *Invariant*: never throws because of the bytes. The first fault is kept; from then on every field reads as the least
/// that its bounds allow, and no list has elements.
final class FrameReader {
    private final ByteBuffer fields;
    private @Nullable String fault;

    private FrameReader(ByteBuffer fields) {
        this.fields = fields;
    }

    /// Reads one frame from the buffer.
    ///
    /// @param bytesMax of the whole frame
    /// @param fields reads the fields of a type, or gives null for a type that is not known
    static <T> Decoded<T> read(ByteBuffer buffer, int bytesMax, Fields<T> fields) {
        if (buffer.remaining() < FrameWriter.LENGTH_BYTES) {
            return new Decoded.Incomplete<>(FrameWriter.LENGTH_BYTES);
        }
        int length = buffer.getInt(buffer.position());
        if (length < 1 || length > bytesMax - FrameWriter.LENGTH_BYTES) {
            return new Decoded.Malformed<>("length: found " + Integer.toUnsignedString(length) + "; expected 1 to "
                    + (bytesMax - FrameWriter.LENGTH_BYTES));
        }
        if (buffer.remaining() < FrameWriter.LENGTH_BYTES + length) {
            return new Decoded.Incomplete<>(FrameWriter.LENGTH_BYTES + length);
        }
        ByteBuffer frame = buffer.slice(buffer.position() + FrameWriter.LENGTH_BYTES, length);
        buffer.position(buffer.position() + FrameWriter.LENGTH_BYTES + length);
        return new FrameReader(frame).decoded(fields);
    }

    private <T> Decoded<T> decoded(Fields<T> of) {
        int type = Byte.toUnsignedInt(fields.get());
        Supplier<T> value = of.read(type, this);
        if (value == null) {
            return new Decoded.Malformed<>("type: found " + type + "; expected one of this protocol");
        }
        if (fault == null && fields.hasRemaining()) {
            fail("end: found " + fields.remaining() + " bytes more; expected the end of the frame");
        }
        return fault == null ? new Decoded.Complete<>(value.get()) : new Decoded.Malformed<>(fault);
    }

    int number32(String name, int min, int max) {
        if (lacks(name, Integer.BYTES)) {
            return min;
        }
        int value = fields.getInt();
        return within(name, value, min, max) ? value : min;
    }

    long number64(String name, long min, long max) {
        if (lacks(name, Long.BYTES)) {
            return min;
        }
        long value = fields.getLong();
        return within(name, value, min, max) ? value : min;
    }

    String text(String name, int bytesMax) {
        int bytes = number32(name + " length", 0, bytesMax);
        if (lacks(name, bytes)) {
            return "";
        }
        ByteBuffer encoded = fields.slice(fields.position(), bytes);
        fields.position(fields.position() + bytes);
        try {
            return UTF_8.newDecoder().decode(encoded).toString();
        } catch (CharacterCodingException e) {
            fail(name + ": found bytes that are not UTF-8");
            return "";
        }
    }

    /// A list; how many there are is believed only as far as the bytes reach.
    <T> List<T> list(String name, Size size, Function<FrameReader, T> element) {
        int count = number32(name + " count", size.min(), size.max());
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count && fault == null; i++) {
            values.add(element.apply(this));
        }
        return values;
    }

    List<Shard> shards() {
        List<Shard> shards = list("shards", new Size(1, Bounds.SHARDS_MAX), FrameReader::shard);
        ascending("shards", shards);
        return shards;
    }

    Shard shard() {
        return new Shard(number32("group", 0, Integer.MAX_VALUE), number32("index", 0, Integer.MAX_VALUE));
    }

    <T extends Comparable<T>> void ascending(String name, List<T> values) {
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i - 1).compareTo(values.get(i)) >= 0) {
                fail(name + ": found number " + i + " not above the one before; expected them ascending");
            }
        }
    }

    /// Keeps what is wrong, unless something was before.
    void fail(String what) {
        if (fault == null) {
            fault = what;
        }
    }

    private boolean lacks(String name, int bytes) {
        if (fault == null && fields.remaining() < bytes) {
            fail(name + ": found " + fields.remaining() + " bytes; expected " + bytes);
        }
        return fault != null;
    }

    private boolean within(String name, long value, long min, long max) {
        if (value < min || value > max) {
            fail(name + ": found " + value + "; expected " + (min == max ? "" + min : min + " to " + max));
        }
        return fault == null;
    }

    /// How many elements a list may have.
    record Size(int min, int max) {
    }

    /// Reads the fields of one type.
    interface Fields<T> {
        /// What makes the value once the frame has turned out to be sound, or null for a type that is not known.
        @Nullable
        Supplier<T> read(int type, FrameReader frame);
    }
}
