package io.servery.netty.worker;

import io.servery.core.metric.QueueMeter;
import io.servery.netty.lane.Lane;

/// Shows the queue of a lane in the metrics.
record LaneMeter(QueueMeter meter) implements Lane.QueueObserver {
    @Override
    public void entered() {
        meter.entered();
    }

    @Override
    public void charged(long delta) {
        meter.charged(delta);
    }

    @Override
    public void left() {
        meter.left();
    }
}
