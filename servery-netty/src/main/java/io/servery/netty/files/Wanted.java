package io.servery.netty.files;

import io.servery.http.semantics.AcceptEncoding;

/// The form in which a peer wants what a path names.
///
/// @param codings which codings may answer a file
/// @param view how a directory is listed
record Wanted(AcceptEncoding codings, ListingView view) {
    /// A file as it is, a directory in the order of names.
    static final Wanted PLAIN = new Wanted(AcceptEncoding.PLAIN, ListingView.DEFAULT);
}
