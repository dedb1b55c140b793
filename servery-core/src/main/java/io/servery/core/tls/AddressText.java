package io.servery.core.tls;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;

/// An IP address as it is written for others to read: authorities (RFC 8738, section 3), operators and tools.
public final class AddressText {
    private AddressText() {
    }

    /// The shortest text of an address: RFC 5952, section 4; with its zone, if it has one (RFC 4007, section 11).
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address long6)) {
            return address.getHostAddress();
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        int[] words = new int[bytes.remaining() / Short.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = Short.toUnsignedInt(bytes.getShort());
        }
        int from = 0;
        int length = 1; // a single zero is written out
        for (int i = 0; i < words.length; i++) {
            int zeros = zerosAt(words, i);
            if (zeros > length) {
                from = i;
                length = zeros;
            }
        }
        String scope = long6.getScopeId() == 0 ? "" : "%" + long6.getScopeId();
        return length == 1
                ? hex(words, 0, words.length) + scope
                : hex(words, 0, from) + "::" + hex(words, from + length, words.length) + scope;
    }

    private static int zerosAt(int[] words, int index) {
        int end = index;
        while (end < words.length && words[end] == 0) {
            end++;
        }
        return end - index;
    }

    private static String hex(int[] words, int from, int to) {
        return Arrays.stream(words, from, to).mapToObj(Integer::toHexString).collect(Collectors.joining(":"));
    }
}
