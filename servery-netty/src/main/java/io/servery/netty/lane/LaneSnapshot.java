package io.servery.netty.lane;

/// How full a lane was at one moment.
///
/// @param active work that has a thread
/// @param queued work waiting for a thread
/// @param bytes what admitted work retains
public record LaneSnapshot(int active, int queued, long bytes) {
}
