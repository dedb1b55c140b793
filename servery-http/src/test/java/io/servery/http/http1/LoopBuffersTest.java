package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A buffer that connections share is one's own while one holds it.
class LoopBuffersTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final LoopBuffers buffers = new LoopBuffers();

    @AfterEach
    void nothingIsLeft() {
        buffers.release();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aBufferThatWasGivenBackIsHandedOutAgainEmpty() {
        ByteBuf first = buffers.output(allocator, 100);
        first.writeBytes("answer".getBytes(US_ASCII));
        first.release();
        ByteBuf second = buffers.output(allocator, 100);
        assertThat(second).isSameAs(first);
        assertThat(second.readableBytes()).isZero();
        second.release();
    }

    @Test
    void aBufferThatSomebodyHoldsIsNotHandedOutAgain() {
        ByteBuf held = buffers.output(allocator, 100).writeBytes("mine".getBytes(US_ASCII));
        ByteBuf other = buffers.output(allocator, 100).writeBytes("yours".getBytes(US_ASCII));
        assertThat(other).isNotSameAs(held);
        assertThat(held.toString(US_ASCII)).isEqualTo("mine");
        held.release();
        other.release();
    }

    @Test
    void moreThanTheSharedBufferHasRoomForIsABufferOfItsOwn() {
        ByteBuf large = buffers.output(allocator, LoopBuffers.OUTPUT_BYTES + 1);
        assertThat(large.writableBytes()).isGreaterThan(LoopBuffers.OUTPUT_BYTES);
        assertThat(large.refCnt()).isOne();
        large.release();
    }

    @Test
    void channelsReadIntoOneBufferInTurn() {
        RecvByteBufAllocator.ExtendedHandle one = buffers.newHandle();
        RecvByteBufAllocator.ExtendedHandle two = buffers.newHandle();
        ByteBuf first = one.allocate(allocator);
        assertThat(first.writableBytes()).isGreaterThanOrEqualTo(LoopBuffers.INPUT_BYTES);
        first.release();
        ByteBuf second = two.allocate(allocator);
        assertThat(second).isSameAs(first);
        ByteBuf third = one.allocate(allocator);
        assertThat(third).as("the second is still held").isNotSameAs(second);
        second.release();
        third.release();
    }
}
