package io.servery.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/// Ports for servers whose port has to be known before they start, each given once.
///
/// They are none of those that the kernel gives to whoever asks for any (ip(7), ip_local_port_range): between the choice and
/// the start a connection of somebody else, a warm-up's say, would have taken one of those now and then.
final class FreePorts {
    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int FIRST = 10_000;
    private static final int LAST = 65_535;
    /// So that two runs at a time begin elsewhere.
    private static final int APART = 16;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private FreePorts() {
    }

    static int next() {
        int[] ephemeral = ephemeral();
        boolean all = ephemeral[0] <= FIRST && ephemeral[1] >= LAST - 1; // then there are no others
        for (int tried = 0; tried <= LAST; tried++) {
            int port = FIRST
                    + (int) ((ProcessHandle.current().pid() * APART + NEXT.getAndIncrement()) % (LAST - FIRST));
            if ((all || port < ephemeral[0] || port > ephemeral[1]) && isFree(port)) {
                return port;
            }
        }
        throw new AssertionError(
                "found no free port from " + FIRST + " on, outside of " + ephemeral[0] + " to " + ephemeral[1]);
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static int[] ephemeral() {
        byte[] text = new byte[64];
        try (InputStream in = Files.newInputStream(EPHEMERAL)) {
            // By one read: a second one of such a file gives nothing.
            int length = in.read(text);
            String[] range = new String(text, 0, length, StandardCharsets.US_ASCII).strip().split("\\s+", -1);
            return new int[]{Integer.parseInt(range[0]), Integer.parseInt(range[1])};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
