package io.servery.admin;

/// What a request to the admin listener comes to: an answer at once, or one that takes a while to make.
public sealed interface AdminOutcome permits AdminAnswer, MetricsRendering {
}
