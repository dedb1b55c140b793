package io.servery.netty.lane;

/// How full a lane was at one moment.
///
/// @param active work that has a thread
/// @param queued work waiting for a thread
/// @param queuedHighWater the most that ever waited
/// @param bytes what admitted work retains
/// @param rejected how often there was no room
public record LaneSnapshot(int active, int queued, int queuedHighWater, long bytes, long rejected) {
}
