package io.servery.netty.files;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.EntityTag;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.Status;
import io.servery.http.semantics.Validators;
import io.servery.netty.files.open.FileIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The representation of one opened file without its bytes: its size, its validators and the fields that describe it, all
/// from one identity.
///
/// @param described the fields of an answer with content
/// @param repeated the fields that a 304 repeats (RFC 9110 §15.4.5)
record Representation(long size, Validators validators, String contentType, List<Field> described,
        List<Field> repeated) {
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

    private static final Field VARY = new Field("Vary", "Accept");

    Representation {
        described = List.copyOf(described);
        repeated = List.copyOf(repeated);
    }

    /// The representation of a file.
    ///
    /// @param path relative to the root
    static Representation of(FileIdentity identity, String path, FilePolicy policy, long nowEpochSecond) {
        EntityTag etag = etag(identity);
        Validators validators = new Validators(etag, identity.modified().epochSecond());
        String contentType = MediaTypes.of(path);
        List<Field> described = new ArrayList<>();
        if (!policy.isConfigured("content-type")) {
            described.add(new Field("Content-Type", contentType));
        }
        described.add(new Field("ETag", etag.toString()));
        long modified = validators.lastModifiedSent(nowEpochSecond);
        if (modified != Validators.UNKNOWN) {
            described.add(new Field("Last-Modified", HttpDate.format(modified)));
        }
        described.add(new Field("Accept-Ranges", "bytes"));
        List<Field> repeated = new ArrayList<>(List.of(new Field("ETag", etag.toString())));
        String cacheControl = policy.cacheControl(path);
        if (cacheControl != null) {
            described.add(new Field("Cache-Control", cacheControl));
            repeated.add(new Field("Cache-Control", cacheControl));
        }
        if (policy.variesByAccept(path)) {
            described.add(VARY);
            repeated.add(VARY);
        }
        policy.addCommon(described);
        policy.addForNotModified(repeated);
        return new Representation(identity.size(), validators, contentType, described, repeated);
    }

    /// The head of the whole.
    ResponseHead whole() {
        return ResponseHead.status(Status.OK).with(described).length(size);
    }

    /// The head of a 304.
    ResponseHead notModified() {
        return ResponseHead.status(Status.NOT_MODIFIED).with(repeated).length(0);
    }

    /// The head of one part (RFC 9110 §15.3.7.1).
    ResponseHead part(ByteRange range) {
        return ResponseHead.status(Status.PARTIAL_CONTENT)
                .with("Content-Range", range.contentRange(size))
                .with(described)
                .length(range.length());
    }

    /// The head of several parts (RFC 9110 §15.3.7.2).
    ResponseHead parts(String boundary, long length) {
        ResponseHead.Builder head = ResponseHead.status(Status.PARTIAL_CONTENT)
                .with("Content-Type", "multipart/byteranges; boundary=" + boundary);
        for (Field field : described) {
            if (!field.name().equalsIgnoreCase("Content-Type")) {
                head.with(field.name(), field.value());
            }
        }
        return head.length(length);
    }

    /// The value of the field as an answer with content has it, or null.
    @Nullable
    String described(String name) {
        for (Field field : described) {
            if (field.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                return field.value();
            }
        }
        return null;
    }

    /// A strong tag: any write gives the file another one. The numbers are mixed, because inodes and exact times of
    /// change are nobody's business.
    private static EntityTag etag(FileIdentity identity) {
        long left = mix(mix(identity.device()) ^ identity.inode()) ^ identity.size();
        left = mix(left ^ time(identity.modified()));
        left = mix(left ^ time(identity.changed()));
        long right = mix(left + identity.inode()) ^ mix(time(identity.changed()) + identity.size());
        char[] text = new char[20];
        write(left, text, 0);
        write(mix(right ^ time(identity.modified())), text, 10);
        return new EntityTag(new String(text), false);
    }

    private static long time(FileIdentity.Time time) {
        return time.epochSecond() * 1_000_000_000L + time.nanos();
    }

    // The finalizer of splitmix64: every bit of the number moves every bit of the result.
    private static long mix(long number) {
        long z = number + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static void write(long bits, char[] text, int from) {
        for (int i = 0; i < 10; i++) {
            text[from + i] = DIGITS.charAt((int) (bits >>> (6 * i)) & 63);
        }
    }
}
