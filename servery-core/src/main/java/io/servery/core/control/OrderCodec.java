package io.servery.core.control;

import io.servery.core.control.FrameReader.Size;
import io.servery.core.control.Order.Adopt;
import io.servery.core.control.Order.Commit;
import io.servery.core.control.Order.Drain;
import io.servery.core.control.Order.Identify;
import io.servery.core.control.Order.Listener;
import io.servery.core.control.Order.Post;
import io.servery.core.control.Order.Prepare;
import io.servery.core.control.Order.Push;
import io.servery.core.control.Order.Release;
import io.servery.core.control.Order.Setting;
import io.servery.core.control.Order.Shown;
import io.servery.core.control.Order.TakeListeners;
import io.servery.core.control.Order.TakeSnapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The bytes of orders. The numbers of types are those of the wire and never change their meaning.
public final class OrderCodec {
    private static final int TAKE_LISTENERS = 1;
    private static final int PREPARE = 2;
    private static final int COMMIT = 3;
    private static final int ADOPT = 4;
    private static final int RELEASE = 5;
    private static final int DRAIN = 6;
    private static final int PUSH = 7;
    private static final int TAKE_SNAPSHOT = 8;
    private static final int IDENTIFY = 9;
    private static final int POST = 10;

    private static final List<ListenerRole> ROLES = List.of(ListenerRole.values());

    private OrderCodec() {
    }

    /// One frame.
    public static byte[] encode(Order order) {
        return switch (order) {
            case TakeListeners(List<Listener> listeners) -> new FrameWriter(TAKE_LISTENERS)
                    .list(listeners, (frame, one) -> frame.shard(one.shard()).number32(ROLES.indexOf(one.role()))
                            .text(one.address()))
                    .frame();
            case Prepare prepare -> new FrameWriter(PREPARE).number32(prepare.generation()).number32(prepare.slot())
                    .text(prepare.configuration()).shards(prepare.shards()).frame();
            case Commit() -> new FrameWriter(COMMIT).frame();
            case Adopt(List<Shard> shards) -> new FrameWriter(ADOPT).shards(shards).frame();
            case Release(long number, List<Shard> shards) ->
                new FrameWriter(RELEASE).number64(number).shards(shards).frame();
            case Drain(Duration timeout, Duration parting) ->
                new FrameWriter(DRAIN).number64(timeout.toNanos()).number64(parting.toNanos()).frame();
            case Push(List<Setting> settings) -> new FrameWriter(PUSH)
                    .list(settings, (frame, one) -> frame.text(one.key()).text(one.value())).frame();
            case TakeSnapshot() -> new FrameWriter(TAKE_SNAPSHOT).frame();
            case Identify identify -> new FrameWriter(IDENTIFY).number64(identify.number())
                    .list(identify.identities(), (frame, one) -> frame
                            .list(one.names(), FrameWriter::text).text(one.certificates()).text(one.key()))
                    .text(identify.clientAuthorities()).list(identify.ticketKeys(), FrameWriter::text).frame();
            case Post(long number, Challenges(List<Challenges.Http> http, List<Challenges.Alpn> alpn)) ->
                new FrameWriter(POST).number64(number)
                        .list(http, (frame, one) -> frame.text(one.token()).text(one.keyAuthorization()))
                        .list(alpn,
                                (frame, one) -> frame.text(one.serverName()).text(one.certificate()).text(one.key()))
                        .frame();
        };
    }

    /// The next order, if the buffer holds all of it.
    public static Decoded<Order> decode(ByteBuffer buffer) {
        return FrameReader.read(buffer, Bounds.ORDER_BYTES_MAX, OrderCodec::fields);
    }

    private static @Nullable Supplier<Order> fields(int type, FrameReader frame) {
        return switch (type) {
            case TAKE_LISTENERS -> takeListeners(frame);
            case PREPARE -> prepare(frame);
            case COMMIT -> Commit::new;
            case ADOPT -> {
                List<Shard> shards = frame.shards();
                yield () -> new Adopt(shards);
            }
            case RELEASE -> {
                long number = frame.number64("number", 0, Long.MAX_VALUE);
                List<Shard> shards = frame.shards();
                yield () -> new Release(number, shards);
            }
            case DRAIN -> {
                long timeout = frame.number64("timeout", 0, Bounds.DRAIN_MAX.toNanos());
                long parting = frame.number64("parting", 0, timeout);
                yield () -> new Drain(Duration.ofNanos(timeout), Duration.ofNanos(parting));
            }
            case PUSH -> push(frame);
            case TAKE_SNAPSHOT -> TakeSnapshot::new;
            case IDENTIFY -> identify(frame);
            case POST -> post(frame);
            default -> null;
        };
    }

    private static Supplier<Order> takeListeners(FrameReader frame) {
        List<Listener> listeners = frame.list("listeners", new Size(1, Bounds.DESCRIPTORS_MAX),
                fields -> new Listener(fields.shard(), ROLES.get(fields.number32("role", 0, ROLES.size() - 1)),
                        fields.text("address", Bounds.ADDRESS_BYTES_MAX)));
        frame.ascending("listeners", listeners.stream().map(Listener::shard).toList());
        return () -> new TakeListeners(listeners);
    }

    private static Supplier<Order> prepare(FrameReader frame) {
        int generation = frame.number32("generation", 0, Integer.MAX_VALUE);
        int slot = frame.number32("slot", 0, Integer.MAX_VALUE);
        String configuration = frame.text("configuration", Bounds.CONFIGURATION_BYTES_MAX);
        List<Shard> shards = frame.shards();
        return () -> new Prepare(generation, slot, configuration, shards);
    }

    private static Supplier<Order> identify(FrameReader frame) {
        long number = frame.number64("number", 0, Long.MAX_VALUE);
        List<Shown> identities = frame.list("identities", new Size(1, Bounds.IDENTITIES_MAX),
                fields -> new Shown(
                        fields.list("names", new Size(0, Bounds.NAMES_MAX),
                                name -> name.text("name", Bounds.NAME_BYTES_MAX)),
                        fields.text("certificates", Bounds.CHAIN_BYTES_MAX),
                        fields.text("key", Bounds.PRIVATE_KEY_BYTES_MAX)));
        String authorities = frame.text("client authorities", Bounds.AUTHORITIES_BYTES_MAX);
        List<String> ticketKeys = frame.list("ticket keys", new Size(1, Bounds.TICKET_KEYS_MAX),
                fields -> fields.text("ticket key", Bounds.TICKET_KEY_BYTES_MAX));
        long bytes = authorities.length();
        for (Shown identity : identities) {
            bytes += identity.bytes();
        }
        if (bytes > Bounds.IDENTIFY_BYTES_MAX) {
            frame.fail("bytes of all identities: found " + bytes + "; expected at most " + Bounds.IDENTIFY_BYTES_MAX);
        }
        return () -> new Identify(number, identities, authorities, ticketKeys);
    }

    private static Supplier<Order> post(FrameReader frame) {
        long number = frame.number64("number", 0, Long.MAX_VALUE);
        // Values only where the frame is sound: what a constructor would refuse is refused here in words.
        List<List<String>> http = frame.list("http", new Size(0, Bounds.CHALLENGES_MAX), fields -> List.of(
                fields.text("token", Bounds.CHALLENGE_TOKEN_BYTES_MAX),
                fields.text("key authorization", Bounds.KEY_AUTHORIZATION_BYTES_MAX)));
        List<Challenges.Alpn> alpn = frame.list("alpn", new Size(0, Bounds.CHALLENGES_MAX),
                fields -> new Challenges.Alpn(fields.text("server name", Bounds.NAME_BYTES_MAX),
                        fields.text("certificate", Bounds.CHALLENGE_CERTIFICATE_BYTES_MAX),
                        fields.text("key", Bounds.PRIVATE_KEY_BYTES_MAX)));
        if (http.size() + alpn.size() > Bounds.CHALLENGES_MAX) {
            frame.fail("challenges: found " + (http.size() + alpn.size()) + "; expected at most "
                    + Bounds.CHALLENGES_MAX);
        }
        if (Challenges.bytes(alpn) > Bounds.IDENTIFY_BYTES_MAX) {
            frame.fail("bytes of all challenges: found " + Challenges.bytes(alpn) + "; expected at most "
                    + Bounds.IDENTIFY_BYTES_MAX);
        }
        if (!http.stream().allMatch(
                one -> Challenges.Http.isToken(one.getFirst())
                        && Challenges.Http.isOf(one.getFirst(), one.getLast()))) {
            frame.fail("http: found a token or a key authorization that is none; expected base64url");
        }
        if (Challenges.distinct(http.stream().map(List::getFirst)) < http.size()
                || Challenges.distinct(alpn.stream().map(Challenges.Alpn::serverName)) < alpn.size()) {
            frame.fail("challenges: found a token or a server name twice; expected each once");
        }
        return () -> new Post(number, new Challenges(
                http.stream().map(one -> new Challenges.Http(one.getFirst(), one.getLast())).toList(), alpn));
    }

    private static Supplier<Order> push(FrameReader frame) {
        List<Setting> settings = frame.list("settings", new Size(1, Bounds.SETTINGS_MAX), fields -> new Setting(
                fields.text("key", Bounds.KEY_BYTES_MAX), fields.text("value", Bounds.VALUE_BYTES_MAX)));
        Set<String> keys = new HashSet<>();
        for (Setting setting : settings) {
            if (!keys.add(setting.key())) {
                frame.fail("settings: found a key twice; expected each once");
            }
        }
        return () -> new Push(settings);
    }
}
