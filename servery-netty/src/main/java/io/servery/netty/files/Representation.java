package io.servery.netty.files;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.ContentCoding;
import io.servery.http.semantics.DigestAlgorithm;
import io.servery.http.semantics.EntityTag;
import io.servery.http.semantics.HttpDate;
import io.servery.http.semantics.Status;
import io.servery.http.semantics.Validators;
import io.servery.netty.files.coding.ContentEncoder;
import io.servery.netty.files.digest.Hashing;
import io.servery.netty.files.open.FileIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The representation of one opened file without its bytes: its size, its validators and the fields that describe it, all
/// from one identity.
///
/// @param identity of the opened file
/// @param digests whether digest fields are sent (RFC 9530)
/// @param varies whether the path may be answered in a coding too
/// @param compressible whether a compressed form of it may be made
/// @param settled whether its last change is long enough ago that another one surely shows in its times
/// @param described the fields of an answer with content
/// @param repeated the fields that a 304 repeats (RFC 9110 §15.4.5)
record Representation(FileIdentity identity, boolean digests, long size, Validators validators, String contentType,
        boolean varies,
        boolean compressible, boolean settled,
        List<Field> described, List<Field> repeated) {
    /// So long after a file's last change another change surely has another time (FAT counts in two seconds).
    private static final long SETTLED_SECONDS = 2;

    static final String CONTENT_ENCODING = "Content-Encoding";
    static final String REPR_DIGEST = "Repr-Digest";
    /// The algorithm of the digests that nobody asked for.
    static final DigestAlgorithm DIGEST_UNASKED = DigestAlgorithm.SHA_256;

    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

    Representation {
        described = List.copyOf(described);
        repeated = List.copyOf(repeated);
    }

    /// The representation of a file.
    ///
    /// @param path relative to the root
    static Representation of(FileIdentity identity, String path, FilePolicy policy, long nowEpochSecond) {
        return of(identity, null, path, policy, nowEpochSecond);
    }

    /// The representation of a file's coded form, which is a file itself and has validators of its own (RFC 9110 §8.8.3.3).
    ///
    /// @param path of the plain file, relative to the root
    static Representation coded(FileIdentity identity, ContentCoding coding, String path, FilePolicy policy,
            long nowEpochSecond) {
        return of(identity, coding, path, policy, nowEpochSecond);
    }

    private static Representation of(FileIdentity identity, @Nullable ContentCoding coding, String path,
            FilePolicy policy, long nowEpochSecond) {
        EntityTag etag = etag(identity, coding == null ? "" : '-' + coding.token());
        Validators validators = new Validators(etag, identity.modified().epochSecond());
        String contentType = MediaTypes.of(path);
        List<Field> described = new ArrayList<>();
        if (!policy.isConfigured("content-type")) {
            described.add(new Field("Content-Type", contentType));
        }
        if (coding != null) {
            described.add(new Field(CONTENT_ENCODING, coding.token()));
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
        String vary = policy.vary(path);
        if (vary != null) {
            described.add(new Field("Vary", vary));
            repeated.add(new Field("Vary", vary));
        }
        policy.addCommon(described);
        policy.addForNotModified(repeated);
        return new Representation(identity, policy.digests(), identity.size(), validators, contentType,
                policy.variesByCoding(path),
                coding == null && isWorthCompressing(identity.size()) && policy.compresses(path),
                nowEpochSecond - identity.changed().epochSecond() > SETTLED_SECONDS, described,
                repeated);
    }

    private static boolean isWorthCompressing(long size) {
        return size >= Compressions.PLAIN_BYTES_MIN && size <= Compressions.PLAIN_BYTES_MAX;
    }

    /// The representation of the form that is made of this one: the same in all but its size, its coding and its tag, which
    /// names the coding and how it was made, for the bytes are the same only then (RFC 9110 §8.8.3.3). No part of it is
    /// offered, because it may not be there the next time.
    Representation compressed(ContentCoding coding, long codedSize) {
        EntityTag own = compressedTag(coding);
        List<Field> coded = new ArrayList<>();
        for (Field field : described) {
            switch (field.name()) {
                case "ETag" -> {
                    coded.add(new Field(CONTENT_ENCODING, coding.token()));
                    coded.add(new Field("ETag", own.toString()));
                }
                case "Accept-Ranges", REPR_DIGEST -> {
                    // Left out.
                }
                default -> coded.add(field);
            }
        }
        List<Field> repeatedToo = repeated.stream()
                .map(field -> field.name().equals("ETag") ? new Field("ETag", own.toString()) : field).toList();
        return new Representation(identity, digests, codedSize,
                new Validators(own, validators.lastModifiedEpochSecond()), contentType,
                varies, false, settled, coded, repeatedToo);
    }

    /// The same with the digest of its bytes, which are these: in every answer with content, also of a part
    /// (RFC 9530 §3), and in none that only says that nothing changed (RFC 9110 §15.4.5).
    Representation digested(byte[] content) {
        return digested(content, content.length);
    }

    /// The same of the first bytes of an array.
    Representation digested(byte[] content, int length) {
        List<Field> more = new ArrayList<>(described);
        more.add(new Field(REPR_DIGEST, DIGEST_UNASKED.field(Hashing.of(DIGEST_UNASKED, content, length))));
        return new Representation(identity, digests, size, validators, contentType, varies, compressible, settled, more,
                repeated);
    }

    /// The tag of the form of this coding, made or not.
    EntityTag compressedTag(ContentCoding coding) {
        EntityTag plain = Objects.requireNonNull(validators.etag());
        return new EntityTag(plain.opaque() + '-' + ContentEncoder.recipe(coding), false);
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

    /// The head of several parts (RFC 9110 §15.3.7.2). Each part says its coding: the whole of them is not coded.
    ResponseHead parts(String boundary, long length) {
        ResponseHead.Builder head = ResponseHead.status(Status.PARTIAL_CONTENT)
                .with("Content-Type", "multipart/byteranges; boundary=" + boundary);
        for (Field field : described) {
            if (!field.name().equalsIgnoreCase("Content-Type") && !field.name().equals(CONTENT_ENCODING)) {
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
    private static EntityTag etag(FileIdentity identity, String suffix) {
        long left = mix(mix(identity.device()) ^ identity.inode()) ^ identity.size();
        left = mix(left ^ time(identity.modified()));
        left = mix(left ^ time(identity.changed()));
        long right = mix(left + identity.inode()) ^ mix(time(identity.changed()) + identity.size());
        char[] text = new char[20];
        write(left, text, 0);
        write(mix(right ^ time(identity.modified())), text, 10);
        return new EntityTag(new String(text) + suffix, false);
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
