package io.servery.netty.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of the signals of a parent before and after there is a loop.
class ParentSignalsTest {
    private final List<String> told = new ArrayList<>();
    private final ParentSignals signals = new ParentSignals();
    private final ParentSignals.Receiver receiver = new ParentSignals.Receiver(() -> told.add("stop"),
            () -> told.add("reload"));

    @Test
    void signalsThatCameBeforeTheLoopReachItOnceInTheirOrder() {
        signals.came(one -> one.reload().run());
        signals.came(one -> one.stop().run());
        signals.came(one -> one.stop().run());
        assertThat(told).isEmpty();

        signals.deliverTo(receiver);
        assertThat(told).containsExactly("reload", "stop", "stop");
    }

    @Test
    void laterSignalsReachItAtOnce() {
        signals.deliverTo(receiver);
        signals.came(one -> one.stop().run());

        assertThat(told).containsExactly("stop");
    }
}
