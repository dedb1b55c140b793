package io.servery.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.tls.Identity;
import io.servery.core.config.KeyGroup;
import io.servery.core.tls.SelfSigned;
import io.servery.core.tls.TicketKeys;
import io.servery.core.config.TlsVersion;
import io.servery.http.tls.ClientCertificates;
import io.servery.http.tls.NamedIdentity;
import io.servery.http.tls.TlsConnection;
import io.servery.http.tls.TlsContexts;
import io.servery.http.tls.TlsFailure;
import io.servery.http.tls.TlsListener;
import io.servery.http.tls.TlsSettings;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/// Any bytes as what a client sends first to a port that speaks TLS, BoringSSL beneath it included.
///
/// The first byte says in what pieces the others come. A handshake that fails is told once and ends the connection; the
/// refusal for foreign protocols comes exactly where [ReferenceHello] sees a hello that offers no other, and the one for names
/// without a challenge where it sees one of a certificate authority.
class TlsFuzz {
    private static final int HELLO_BYTES_MAX = 16 * 1024;
    private static final byte[] NO_APPLICATION_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};
    private static final TlsContexts CONTEXTS = contexts();

    private static TlsContexts contexts() {
        SecureRandom random = new SecureRandom();
        TlsContexts contexts = new TlsContexts(new TlsSettings(TlsVersion.TLS_1_2, List.of(KeyGroup.values()),
                new ClientCertificates.Off(), Duration.ofMinutes(1), List.of("http/1.1")),
                TicketKeys.first(Instant.now(), random).accepted());
        Identity site = SelfSigned.make(List.of("site.example"), Instant.now(), SelfSigned.LIFETIME_MAX, random);
        Identity other = SelfSigned.make(List.of("other.example"), Instant.now(), SelfSigned.LIFETIME_MAX, random);
        try {
            contexts.serve(site, List.of(new NamedIdentity(other, other.names())));
            contexts.validate(Map.of(ReferenceHello.CHALLENGE, other));
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
        return contexts;
    }

    @FuzzTest
    void tls(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        byte[] sent = Arrays.copyOfRange(bytes, 1, bytes.length);
        Told told = new Told();
        EmbeddedChannel channel = new EmbeddedChannel();
        CONTEXTS.secure(channel.pipeline(), told);
        byte[] answer;
        try {
            int piece = bytes[0] == 0 ? sent.length + 1 : bytes[0] & 0xff;
            for (int at = 0; at < sent.length && channel.isOpen(); at += piece) {
                channel.writeInbound(Unpooled.copiedBuffer(sent, at, Math.min(piece, sent.length - at)));
            }
            channel.runPendingTasks();
            channel.checkException();
            answer = answer(channel);
            Invariant.same(channel.isOpen() ? 0 : 1, told.failures.size(), () -> "told: " + told.failures);
            Invariant.same(0, told.secured + told.validations, () -> "handshakes that bytes alone complete");
        } finally {
            channel.finishAndReleaseAll();
        }
        Invariant.same(1, told.failures.size(), () -> "told in the end: " + told.failures);
        judge(sent, answer, told.failures.getFirst());
    }

    private static void judge(byte[] sent, byte[] answer, TlsFailure failure) {
        ReferenceHello hello = ReferenceHello.of(sent, HELLO_BYTES_MAX);
        Invariant.same(hello == ReferenceHello.FOREIGN_PROTOCOLS, failure == TlsFailure.NO_COMMON_PROTOCOL,
                () -> "foreign protocols, for " + hello);
        Invariant.same(hello == ReferenceHello.UNKNOWN_NAME, failure == TlsFailure.UNKNOWN_NAME,
                () -> "a name without a challenge, for " + hello);
        Invariant.same(hello == ReferenceHello.TOO_LONG, failure == TlsFailure.HELLO_TOO_LARGE,
                () -> "too long, for " + hello);
        if (failure == TlsFailure.NO_COMMON_PROTOCOL) {
            Invariant.holds(Arrays.equals(NO_APPLICATION_PROTOCOL, answer), () -> Arrays.toString(answer));
        }
        if (failure == TlsFailure.UNKNOWN_NAME) {
            Invariant.holds(Arrays.equals(UNRECOGNIZED_NAME, answer), () -> Arrays.toString(answer));
        }
        Invariant.holds(answer.length == 0 || answer[0] == 21 || answer[0] == 22, () -> "neither alert nor handshake");
    }

    private static byte[] answer(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            all.writeBytes((ByteBuf) message);
            ReferenceCountUtil.release(message);
        }
        byte[] answer = new byte[all.readableBytes()];
        all.readBytes(answer);
        return answer;
    }

    private static final class Told implements TlsListener {
        private final List<TlsFailure> failures = new ArrayList<>();
        private int secured;
        private int validations;

        @Override
        public void begun(Channel channel) {
            // Its end is told of, too.
        }

        @Override
        public void secured(Channel channel, TlsConnection connection) {
            secured++;
        }

        @Override
        public void validated(Channel channel, TlsVersion version) {
            validations++;
        }

        @Override
        public void failed(Channel channel, TlsFailure failure, Optional<TlsVersion> offered) {
            failures.add(failure);
        }
    }
}
