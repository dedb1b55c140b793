package io.servery.core.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;

/// A frame while it is written: 32 bits of length (of what follows them), 8 bits of type, the fields. Numbers are
/// big-endian; a text is its length in bytes and UTF-8; a list is its length and its elements.
final class FrameWriter {
    static final int LENGTH_BYTES = Integer.BYTES;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    FrameWriter(int type) {
        number32(0);
        bytes.write(type);
    }

    FrameWriter number32(int value) {
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
        return this;
    }

    FrameWriter number64(long value) {
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    FrameWriter text(String value) {
        byte[] encoded = value.getBytes(UTF_8);
        number32(encoded.length);
        bytes.writeBytes(encoded);
        return this;
    }

    <T> FrameWriter list(List<T> values, BiConsumer<FrameWriter, T> element) {
        number32(values.size());
        values.forEach(value -> element.accept(this, value));
        return this;
    }

    FrameWriter shards(List<Shard> shards) {
        return list(shards, FrameWriter::shard);
    }

    FrameWriter shard(Shard shard) {
        return number32(shard.group()).number32(shard.index());
    }

    /// The whole frame.
    byte[] frame() {
        byte[] frame = bytes.toByteArray();
        ByteBuffer.wrap(frame).putInt(frame.length - LENGTH_BYTES);
        return frame;
    }
}
