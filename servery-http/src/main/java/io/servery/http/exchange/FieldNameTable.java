package io.servery.http.exchange;

import io.servery.http.semantics.FieldName;
import java.nio.charset.StandardCharsets;

/// Finds the known field name in the bytes of a head without making a string.
///
/// An open table indexed by length, first and last letter; every entry is confirmed letter by letter.
final class FieldNameTable {
    /// What `ordinal` answers for a name that is not known.
    static final int UNKNOWN = -1;

    private static final int SLOTS = 256;
    private static final byte[][] NAMES = new byte[SLOTS][];
    private static final byte[] ORDINALS = new byte[SLOTS];

    static {
        for (int ordinal = 0; ordinal < FieldName.total(); ordinal++) {
            byte[] name = FieldName.at(ordinal).lowerCase().getBytes(StandardCharsets.ISO_8859_1);
            int slot = slot(name, 0, name.length);
            while (NAMES[slot] != null) {
                slot = slot + 1 & SLOTS - 1;
            }
            NAMES[slot] = name;
            ORDINALS[slot] = (byte) ordinal;
        }
    }

    private FieldNameTable() {
    }

    /// The ordinal of the `FieldName` that `bytes[start, start + length)` spells in any case, or `UNKNOWN`.
    static int ordinal(byte[] bytes, int start, int length) {
        int slot = slot(bytes, start, length);
        for (byte[] name = NAMES[slot]; name != null; name = NAMES[slot]) {
            if (name.length == length && spells(bytes, start, name)) {
                return ORDINALS[slot];
            }
            slot = slot + 1 & SLOTS - 1;
        }
        return UNKNOWN;
    }

    private static int slot(byte[] bytes, int start, int length) {
        int first = bytes[start] | 0x20;
        int last = bytes[start + length - 1] | 0x20;
        return length * 37 + first * 11 + last & SLOTS - 1;
    }

    private static boolean spells(byte[] bytes, int start, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = bytes[start + i];
            if (b >= 'A' && b <= 'Z') {
                b = (byte) (b | 0x20);
            }
            if (b != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }
}
