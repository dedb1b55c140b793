package io.servery.http.semantics;

import java.util.Arrays;

/// The addresses that brackets enclose (RFC 3986 §3.2.2): IPv6 and the future versions.
///
/// *Not here*: zones. RFC 6874 is not part of the grammar of http and https, and a zone means nothing to another host.
final class IpLiteral {
    private static final int GROUPS = 8;

    private final String text;
    private final int end;
    private final int[] groups = new int[GROUPS];
    private int at;
    private int count;
    private int elidedAt = -1;

    private IpLiteral(String text, int from, int end) {
        this.text = text;
        this.at = from;
        this.end = end;
    }

    static boolean isLiteral(String text, int from, int end) {
        boolean future = from < end && (text.charAt(from) | 0x20) == 'v';
        return future ? isFuture(text, from, end) : new IpLiteral(text, from, end).readAddress();
    }

    /// Whether two bracketed hosts are the same IPv6 address, however each is written.
    static boolean same(String one, String other) {
        if (!one.startsWith("[") || !other.startsWith("[")) {
            return false;
        }
        IpLiteral first = new IpLiteral(one, 1, one.length() - 1);
        IpLiteral second = new IpLiteral(other, 1, other.length() - 1);
        return first.readAddress() && second.readAddress() && Arrays.equals(first.groups, second.groups);
    }

    /// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
    private static boolean isFuture(String text, int from, int end) {
        int dot = from + 1;
        while (dot < end && UriCharacters.hexDigit(text.charAt(dot)) >= 0) {
            dot++;
        }
        if (dot == from + 1 || dot + 1 >= end || text.charAt(dot) != '.') {
            return false;
        }
        for (int next = dot + 1; next < end; next++) {
            if (!UriCharacters.in(UriCharacters.LITERAL, text.charAt(next))) {
                return false;
            }
        }
        return true;
    }

    private boolean readAddress() {
        if (text.startsWith("::", at) && at + 2 <= end) {
            elidedAt = 0;
            at += 2;
        }
        while (at < end) {
            if (!readGroup() || (at < end && !readSeparator())) {
                return false;
            }
        }
        return elidedAt < 0 ? count == GROUPS : spread();
    }

    /// Reads a group of up to four digits, or the IPv4 address that may stand for the last two groups.
    private boolean readGroup() {
        int value = 0;
        int groupEnd = at;
        while (groupEnd < end && groupEnd - at < 4 && UriCharacters.hexDigit(text.charAt(groupEnd)) >= 0) {
            value = (value << 4) | UriCharacters.hexDigit(text.charAt(groupEnd++));
        }
        if (groupEnd < end && text.charAt(groupEnd) == '.') {
            return readIpv4();
        }
        if (groupEnd == at || count == GROUPS) {
            return false;
        }
        groups[count++] = value;
        at = groupEnd;
        return true;
    }

    /// Reads a colon that a group follows, or the two that stand once for groups of zero.
    private boolean readSeparator() {
        if (text.charAt(at++) != ':' || at == end) {
            return false;
        }
        if (text.charAt(at) == ':') {
            boolean first = elidedAt < 0;
            elidedAt = count;
            at++;
            return first;
        }
        return true;
    }

    private boolean readIpv4() {
        if (count > GROUPS - 2) {
            return false;
        }
        int address = 0;
        for (int octet = 0; octet < 4; octet++) {
            int value = readOctet();
            if (value < 0 || (octet < 3 && (at == end || text.charAt(at++) != '.'))) {
                return false;
            }
            address = (address << 8) | value;
        }
        groups[count++] = address >>> 16;
        groups[count++] = address & 0xffff;
        return at == end;
    }

    /// `dec-octet`: 0 to 255 without leading zeros; -1 when there is none.
    private int readOctet() {
        int from = at;
        int value = 0;
        while (at < end && at - from < 3 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = value * 10 + text.charAt(at++) - '0';
        }
        boolean leadingZero = at - from > 1 && text.charAt(from) == '0';
        return at == from || leadingZero || value > 255 ? -1 : value;
    }

    /// Moves what follows the elision to the end; the elision stands for one group at least.
    private boolean spread() {
        if (count == GROUPS) {
            return false;
        }
        int after = count - elidedAt;
        System.arraycopy(groups, elidedAt, groups, GROUPS - after, after);
        Arrays.fill(groups, elidedAt, GROUPS - after, 0);
        return true;
    }
}
