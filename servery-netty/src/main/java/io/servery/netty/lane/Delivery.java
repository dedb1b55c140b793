package io.servery.netty.lane;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The way of what a lane made to whoever asked for it: on the executor of the one who asked, or into the disposer where nobody takes it any more.
///
/// *Owner*: the lane begins it, the executor ends it. *Invariant*: of taker and disposer one gets the result, once.
///
/// @param to where the taker is called
/// @param gone asked there: whether the result comes too late
/// @param taker has the result from then on
/// @param disposer gives back what a late result holds; on either side, and never blocks
public record Delivery<T>(Executor to, BooleanSupplier gone, Consumer<T> taker, Consumer<T> disposer) {
    /// Hands the result over.
    public void deliver(T result) {
        try {
            to.execute(() -> arrived(result));
        } catch (RejectedExecutionException e) {
            // The executor is gone, and with it whoever asked.
            disposer.accept(result);
        }
    }

    private void arrived(T result) {
        if (gone.getAsBoolean()) {
            disposer.accept(result);
        } else {
            taker.accept(result);
        }
    }
}
