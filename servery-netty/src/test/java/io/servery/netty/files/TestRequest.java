package io.servery.netty.files;

import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.Method;
import java.nio.charset.StandardCharsets;

/// Heads of requests as a codec would record them.
public final class TestRequest {
    private TestRequest() {
    }

    /// A head with these parts, in this order.
    ///
    /// @param fields such as `Range: bytes=0-1`
    public static RequestHead head(String method, String target, String... fields) {
        RequestHead head = new RequestHead();
        append(head, method);
        int targetAt = append(head, target);
        head.recordRequestLine(Method.of(method), method.length(), targetAt, target.length());
        for (String field : fields) {
            int colon = field.indexOf(':');
            int at = append(head, field);
            int valueAt = colon + 2;
            head.recordField(at, colon, at + valueAt, field.length() - valueAt);
        }
        return head;
    }

    private static int append(RequestHead head, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int at = head.length();
        System.arraycopy(bytes, 0, head.bytesWithRoomFor(bytes.length), at, bytes.length);
        head.length(at + bytes.length);
        return at;
    }
}
