package io.servery.netty.files;

import io.servery.http.exchange.Exchange;

/// A request that waits for the lane.
///
/// @param path normalized, within the tree
/// @param navigation whether a browser goes to a page of an application: what a single page application answers itself
/// @param wanted in which form
record FileRequest(FilesHandler handler, Exchange exchange, FileTree tree, String path, boolean navigation,
        Wanted wanted) {
}
