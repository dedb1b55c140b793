package io.servery.supervisor.listen;

import io.servery.supervisor.posix.PosixException;
import io.servery.supervisor.posix.SocketOption;
import java.util.Optional;

/// The check of a listening socket by a worker that was handed a duplicate of it.
public final class HandedSocket {
    private HandedSocket() {
    }

    /// What is wrong with a descriptor that should be a stream socket which listens at this address: `found X; expected Y`.
    /// Empty when nothing is.
    ///
    /// @param address in the words of [BoundAddress#text]
    /// @param later whether it may be one that is bound and will listen later
    public static Optional<String> fault(int descriptor, String address, boolean later) {
        String found;
        try {
            if (SocketOption.TYPE.of(descriptor) != SocketOption.STREAM) {
                found = "a socket that is no stream socket";
            } else if (!later && SocketOption.ACCEPT_CONNECTIONS.of(descriptor) == 0) {
                found = "a socket that does not listen";
            } else {
                found = BoundAddress.of(descriptor).text();
            }
        } catch (PosixException noSocket) {
            found = "no socket (" + noSocket.getMessage() + ")";
        } catch (IllegalStateException otherFamily) {
            found = String.valueOf(otherFamily.getMessage());
        }
        return found.equals(address)
                ? Optional.empty()
                : Optional.of("found " + found + "; expected one that listens at " + address);
    }
}
