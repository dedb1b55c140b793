package io.servery.interop;

/// What a client hears next on a connection.
public sealed interface Heard permits Answer, Heard.Cut, Heard.Ending {

    /// A message that began and did not end.
    ///
    /// @param head its head, or what there is of it
    /// @param body what arrived of its content
    /// @param ending how it ended
    record Cut(byte[] head, byte[] body, Ending ending) implements Heard {
    }

    /// How a connection ends, at the border between two messages: orderly, torn down with RST or an alert of TLS, or not within the time allowed.
    enum Ending implements Heard {
        FIN,
        RESET,
        SILENCE
    }
}
