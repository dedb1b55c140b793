package io.servery.netty.files;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.EntityTag;
import io.servery.http.semantics.Status;
import io.servery.http.semantics.Validators;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The answers of one listing: what it says, and that it still says so.
///
/// Its validator is a digest of its bytes, and strong (RFC 9110 §8.8.1 names a collision-resistant hash of the
/// representation as one): a directory has nothing else that changes whenever its listing does, for its own times do not
/// move when a file in it grows. So there is no Last-Modified, and every use asks again (`no-cache`).
///
/// @param whole 200 with the content
/// @param notModified 304
record ListingAnswer(ResponsePlan.Bytes whole, ResponsePlan.Empty notModified, Validators validators) {
    private static final int TAG_BYTES = 15;
    /// What is ours whatever is configured: how the bytes are read, which they are, and what chose them.
    private static final Set<String> KEPT = Set.of("Content-Type", "ETag", "Vary");
    private static final Set<String> IN_NOT_MODIFIED = Set.of("cache-control", "content-location", "etag", "expires",
            "vary");

    static ListingAnswer html(String html, FilePolicy policy) {
        return of("text/html; charset=utf-8", ListingStyle.POLICY, html, policy);
    }

    static ListingAnswer json(String json, FilePolicy policy) {
        return of("application/json", "default-src 'none'; frame-ancestors 'none'", json, policy);
    }

    /// The head of `whole` alone, for HEAD.
    ResponsePlan headOnly() {
        return new ResponsePlan.Empty(whole.head());
    }

    /// All of it, so that a peer that takes nothing holds one part.
    ResponsePlan inParts() {
        return whole.content().length <= BytesInParts.PART_BYTES
                ? whole
                : new ResponsePlan.Stream(whole.head(), new BytesInParts(whole.content()));
    }

    private static ListingAnswer of(String contentType, String securityPolicy, String text, FilePolicy policy) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        EntityTag etag = etag(content);
        List<Field> fields = new ArrayList<>(List.of(new Field("Content-Type", contentType),
                new Field("ETag", etag.toString()), new Field("Cache-Control", "no-cache"), new Field("Vary", "Accept"),
                new Field("Content-Security-Policy", securityPolicy), new Field("X-Content-Type-Options", "nosniff"),
                new Field("Referrer-Policy", "same-origin")));
        for (Field field : policy.configuredFields()) {
            fields.removeIf(ours -> ours.name().equalsIgnoreCase(field.name()) && !KEPT.contains(ours.name()));
            if (!field.name().equalsIgnoreCase("Content-Type")) {
                fields.add(field);
            }
        }
        List<Field> repeated = fields.stream()
                .filter(field -> IN_NOT_MODIFIED.contains(field.name().toLowerCase(Locale.ROOT))).toList();
        return new ListingAnswer(
                new ResponsePlan.Bytes(ResponseHead.status(Status.OK).with(fields).length(content.length), content),
                new ResponsePlan.Empty(ResponseHead.status(Status.NOT_MODIFIED).with(repeated).length(0)),
                new Validators(etag, Validators.UNKNOWN));
    }

    private static EntityTag etag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return new EntityTag(Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, TAG_BYTES)), false);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: every JDK has it", e);
        }
    }
}
