package io.servery.http.semantics;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A query as a form writes it, `application/x-www-form-urlencoded`: pairs between `&`, a plus for a space.
public final class FormQuery {
    private FormQuery() {
    }

    /// The decoded value of the first parameter with this name; null when there is none, and when its value has a broken
    /// escape or octets that are no UTF-8.
    ///
    /// @param query without its question mark
    /// @param name of characters that need no encoding: a name that came encoded is another one
    public static @Nullable String value(@Nullable String query, String name) {
        if (query == null) {
            return null;
        }
        for (int from = 0; from <= query.length();) {
            int end = query.indexOf('&', from);
            end = end < 0 ? query.length() : end;
            int valueAt = from + name.length();
            if (valueAt < end && query.charAt(valueAt) == '=' && query.startsWith(name, from)) {
                return decode(query.substring(valueAt + 1, end));
            }
            from = end + 1;
        }
        return null;
    }

    private static @Nullable String decode(String encoded) {
        ByteBuffer octets = ByteBuffer.allocate(encoded.length());
        for (int at = 0; at < encoded.length(); at++) {
            char c = encoded.charAt(at);
            if (c == '%') {
                if (!UriCharacters.isEncodedOctet(encoded, at, encoded.length())) {
                    return null;
                }
                octets.put((byte) (UriCharacters.hexDigit(encoded.charAt(at + 1)) << 4
                        | UriCharacters.hexDigit(encoded.charAt(at + 2))));
                at += 2;
            } else if (c > '~') {
                return null;
            } else {
                octets.put((byte) (c == '+' ? ' ' : c));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(octets.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
