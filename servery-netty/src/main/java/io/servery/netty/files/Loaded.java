package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.netty.files.open.OpenedDirectory;
import java.util.List;

/// What the lane found for a request, on its way to the event loop that answers.
sealed interface Loaded {
    /// Whether any number of requests may be answered with it.
    default boolean shared() {
        return true;
    }

    /// Gives back what it holds when nobody is answered with it.
    default void unused() {
        // Most hold nothing.
    }

    record File(FileSource source) implements Loaded {
        @Override
        public boolean shared() {
            return source instanceof MemoryFile;
        }

        @Override
        public void unused() {
            source.unused();
        }
    }

    /// A directory whose name lacks its slash.
    record Unslashed() implements Loaded {
    }

    /// A directory that is to be listed: no answer yet.
    record Directory(FileTree tree, String path, ListingView view, OpenedDirectory opened) implements Loaded {
        @Override
        public boolean shared() {
            return false;
        }

        @Override
        public void unused() {
            opened.close();
        }
    }

    record Listing(ListingAnswer answer) implements Loaded {
    }

    record Refused(Refusal refusal, List<Field> more) implements Loaded {
        Refused(Refusal refusal) {
            this(refusal, List.of());
        }

        public Refused {
            more = List.copyOf(more);
        }
    }

    /// A refusal with the operator's page for it.
    record RefusedWithPage(Refused refused, FileSource page) implements Loaded {
        @Override
        public boolean shared() {
            return page instanceof MemoryFile;
        }

        @Override
        public void unused() {
            page.unused();
        }
    }
}
