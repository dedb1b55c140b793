package io.servery.http.tls;

import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import java.lang.reflect.Field;

/// The context as tcnative's own functions take it. Netty has it in a field for its subclasses and gives others the pointer of
/// BoringSSL only, which is another.
final class NativeContext {
    private static final Field POINTER = pointer();

    private NativeContext() {
    }

    /// The pointer, good for as long as the context is held.
    static long of(ReferenceCountedOpenSslContext context) {
        try {
            return POINTER.getLong(context);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // it was made accessible
        }
    }

    private static Field pointer() {
        try {
            Field field = ReferenceCountedOpenSslContext.class.getDeclaredField("ctx");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "Netty: found no `ctx` in ReferenceCountedOpenSslContext; expected the one of"
                            + " the version that this was built with",
                    e);
        }
    }
}
