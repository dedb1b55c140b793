package io.servery.acme.store;

import java.util.function.Function;

/// Values that are their PEM text.
///
/// @param decoding throws IllegalArgumentException where the text is none of `encoding`
record PemCodec<T>(Function<T, String> encoding, Function<String, T> decoding) implements RecordFile.Codec<T> {
    @Override
    public String encode(T value) {
        return encoding.apply(value);
    }

    @Override
    public T decode(String body) throws DamageException {
        try {
            return decoding.apply(body);
        } catch (IllegalArgumentException unreadable) {
            throw new DamageException(String.valueOf(unreadable.getMessage()));
        }
    }
}
