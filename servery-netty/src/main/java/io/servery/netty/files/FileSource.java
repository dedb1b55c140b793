package io.servery.netty.files;

import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes behind a representation, and how each kind of answer is made of them.
///
/// *Invariant*: every method here that makes a plan, and `unused`, uses the source up; exactly one of them is called for a source that is not shared.
sealed interface FileSource permits MemoryFile, DiskFile, HeldBytes {
    Representation representation();

    /// All of its bytes, not to be changed, at the beginning of an array: the given one where they are not in memory, which
    /// is as large as the representation at least. Null when they cannot be read as they were. Blocks, and uses nothing up.
    byte @Nullable [] bytes(byte[] room);

    /// All of its bytes, wherever they are. Uses nothing up; a file in it is open until the source is used up.
    List<BodySource.Part> parts();

    /// All of it, with 200.
    Answer.Given whole();

    /// The head of `whole` alone, for HEAD.
    Answer.Given headOnly();

    /// The client's copy is current.
    Answer.Given notModified();

    /// One part.
    ResponsePlan part(ByteRange range);

    /// Several parts, between that boundary.
    ResponsePlan parts(List<ByteRange> ranges, String boundary);

    /// All of it under another head, whose length is the size of the representation.
    ResponsePlan under(ResponseHead head);

    /// Nothing is made of it.
    void unused();
}
