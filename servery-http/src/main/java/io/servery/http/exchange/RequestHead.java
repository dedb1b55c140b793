package io.servery.http.exchange;

import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.RequestFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of one request: the bytes as received and where in them its parts lie. Strings are made only when asked for.
///
/// *Owner:* the event loop of its connection. *Invariant:* everything recorded has passed its codec's checks; the content
/// is stable from dispatch until the exchange ends, and is then overwritten by the next head that takes this object.
public final class RequestHead implements RequestFields {
    private static final int BYTES_INITIAL = 1024;
    private static final int FIELDS_INITIAL = 16;
    /// Past this a head's array is given up with the head, so that one large request does not stay in memory.
    private static final int BYTES_KEPT_MAX = 4096;

    private byte[] bytes = new byte[BYTES_INITIAL];
    private int length;
    /// Four numbers a field: start and length of the name, start and length of the value.
    private int[] spans = new int[4 * FIELDS_INITIAL];
    private byte[] ordinals = new byte[FIELDS_INITIAL];
    private int fields;
    private final short[] firstWithName = new short[FieldName.total()];
    private final short[] countWithName = new short[FieldName.total()];

    private Method method = Method.UNKNOWN;
    private int methodLength;
    private int targetStart;
    private int targetLength;
    private HttpVersion version = HttpVersion.HTTP_1_1;

    /// Forgets everything, ready for the next head. For codecs.
    public void clear() {
        length = 0;
        fields = 0;
        Arrays.fill(firstWithName, (short) 0);
        Arrays.fill(countWithName, (short) 0);
        method = Method.UNKNOWN;
        methodLength = 0;
        targetStart = 0;
        targetLength = 0;
        version = HttpVersion.HTTP_1_1;
        if (bytes.length > BYTES_KEPT_MAX) {
            bytes = new byte[BYTES_INITIAL];
        }
    }

    /// The array that holds the head, with room for `more` bytes past `length()`. For codecs.
    public byte[] bytesWithRoomFor(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
        return bytes;
    }

    /// The array that holds the head. For codecs.
    public byte[] bytes() {
        return bytes;
    }

    /// How many bytes of the array are the head so far.
    public int length() {
        return length;
    }

    /// Says how many bytes of the array are now the head. For codecs.
    public void length(int bytesUsed) {
        this.length = bytesUsed;
    }

    /// Records the request line: the method at the start of the array, and where the target lies. For codecs.
    public void recordRequestLine(Method method, int methodLength, int targetStart, int targetLength) {
        this.method = method;
        this.methodLength = methodLength;
        this.targetStart = targetStart;
        this.targetLength = targetLength;
    }

    /// Records the version. For codecs.
    public void recordVersion(HttpVersion version) {
        this.version = version;
    }

    /// Records one field line. For codecs.
    public void recordField(int nameStart, int nameLength, int valueStart, int valueLength) {
        if (fields == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, fields * 2);
            spans = Arrays.copyOf(spans, fields * 8);
        }
        int at = fields * 4;
        spans[at] = nameStart;
        spans[at + 1] = nameLength;
        spans[at + 2] = valueStart;
        spans[at + 3] = valueLength;
        int ordinal = FieldNameTable.ordinal(bytes, nameStart, nameLength);
        ordinals[fields] = (byte) ordinal;
        fields++;
        if (ordinal != FieldNameTable.UNKNOWN && ++countWithName[ordinal] == 1) {
            firstWithName[ordinal] = (short) fields;
        }
    }

    public Method method() {
        return method;
    }

    /// The method as sent, known or not.
    public String methodToken() {
        return method == Method.UNKNOWN ? text(0, methodLength) : method.name();
    }

    /// The request target as sent.
    public String target() {
        return text(targetStart, targetLength);
    }

    /// Where the target starts in `bytes()`.
    public int targetStart() {
        return targetStart;
    }

    /// The length of the target in bytes.
    public int targetLength() {
        return targetLength;
    }

    public HttpVersion version() {
        return version;
    }

    /// How many field lines there are.
    public int fieldCount() {
        return fields;
    }

    /// The name of field line `index` as sent.
    public String fieldName(int index) {
        return text(spans[index * 4], spans[index * 4 + 1]);
    }

    /// The value of field line `index` without surrounding blanks.
    public String fieldValue(int index) {
        return text(spans[index * 4 + 2], spans[index * 4 + 3]);
    }

    @Override
    public int count(FieldName name) {
        return countWithName[name.ordinal()];
    }

    @Override
    public @Nullable String value(FieldName name) {
        int first = firstWithName[name.ordinal()];
        return first == 0 ? null : fieldValue(first - 1);
    }

    /// Compares bytes, without a string.
    @Override
    public boolean valueIs(FieldName name, String expected) {
        int first = firstWithName[name.ordinal()];
        if (first == 0 || spans[first * 4 - 1] != expected.length()) {
            return false;
        }
        int start = spans[first * 4 - 2];
        for (int i = 0; i < expected.length(); i++) {
            if ((bytes[start + i] & 0xff) != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Whether the value of the first field with this name is these bytes.
    public boolean valueIs(FieldName name, byte[] expected) {
        int first = firstWithName[name.ordinal()];
        if (first == 0) {
            return false;
        }
        int start = spans[first * 4 - 2];
        return Arrays.equals(bytes, start, start + spans[first * 4 - 1], expected, 0, expected.length);
    }

    @Override
    public List<String> values(FieldName name) {
        int count = countWithName[name.ordinal()];
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(fieldValue(firstWithName[name.ordinal()] - 1));
        }
        List<String> values = new ArrayList<>(count);
        for (int i = firstWithName[name.ordinal()] - 1; i < fields; i++) {
            if (ordinals[i] == name.ordinal()) {
                values.add(fieldValue(i));
            }
        }
        return values;
    }

    private String text(int start, int size) {
        return new String(bytes, start, size, StandardCharsets.ISO_8859_1);
    }
}
