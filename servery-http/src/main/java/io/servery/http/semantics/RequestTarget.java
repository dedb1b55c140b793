package io.servery.http.semantics;

import org.jspecify.annotations.Nullable;

/// The target of a request line in one of the four forms of RFC 9112 §3.2, by the grammar of RFC 3986; beyond it
/// `[ ] ^ { | }` and the backquote are accepted in paths and queries, because browsers send them unencoded.
///
/// *Not here*: the meaning of a path (`TargetPath`) and the length of a target, which the reader of the line bounds.
public sealed interface RequestTarget {
    /// An absolute path and the query after its `?`, null when there is none; both as sent.
    record Origin(String path, @Nullable String query) implements RequestTarget {
    }

    /// A whole http or https URI: the scheme in lower case, the path `/` where the URI has none.
    record Absolute(String scheme, Authority authority, String path, @Nullable String query) implements RequestTarget {
    }

    /// What CONNECT names: a host and its port.
    record AuthorityForm(Authority authority) implements RequestTarget {
    }

    /// The server as a whole, which only OPTIONS may name.
    record Asterisk() implements RequestTarget {
    }

    /// None of the forms that the method may have.
    record Invalid(Fault fault) implements RequestTarget {
    }

    /// What is wrong with an invalid target.
    enum Fault {
        /// Not a form that this method may have, or no form at all.
        FORM,
        /// A character that a URI does not hold: a control, a space, `#`, `\`, one outside ASCII and the like.
        CHARACTER,
        /// A `%` without two hexadecimal digits after it.
        ESCAPE,
        /// A scheme other than http and https.
        SCHEME,
        /// An authority that is none, is empty or names a user (RFC 9110 §4.2.4), or one of CONNECT without a port.
        AUTHORITY
    }

    /// The target that this text is for that method.
    static RequestTarget parse(String raw, Method method) {
        if (method == Method.CONNECT) {
            return TargetForms.authority(raw);
        }
        if (raw.startsWith("/")) {
            return TargetForms.origin(raw);
        }
        if (raw.equals("*")) {
            return method == Method.OPTIONS ? new Asterisk() : new Invalid(Fault.FORM);
        }
        return TargetForms.absolute(raw);
    }
}
