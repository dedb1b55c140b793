package io.servery.http.exchange;

/// Everything that will be sent in answer to one request, decided before its first byte: each transport emits each
/// kind in its best way.
///
/// *Invariant:* a plan with a resource is handed to `Exchange.respond` once, or released once by whoever made it.
public sealed interface ResponsePlan {
    ResponseHead head();

    /// Gives back what the plan holds; called by the transport when the answer is out or cut short.
    void release();

    /// No content.
    record Empty(ResponseHead head) implements ResponsePlan {
        @Override
        public void release() {
            // Holds nothing.
        }
    }

    /// Content in memory. Immutable: may be shared and answered any number of times.
    record Bytes(ResponseHead head, byte[] content) implements ResponsePlan {
        public Bytes {
            if (head.contentLength() != content.length) {
                throw new IllegalArgumentException(
                        "content: found " + content.length + " bytes; the head says " + head.contentLength());
            }
        }

        @Override
        public void release() {
            // Holds nothing.
        }
    }

    /// One range of an opened file, possibly all of it.
    record FileRange(ResponseHead head, AcquiredFile file, long offset) implements ResponsePlan {
        /// How many bytes the range has.
        public long length() {
            return head.contentLength();
        }

        @Override
        public void release() {
            file.close();
        }
    }

    /// Content pulled from a source; the head says its length if it is known.
    record Stream(ResponseHead head, BodySource source) implements ResponsePlan {
        @Override
        public void release() {
            source.close();
        }
    }
}
