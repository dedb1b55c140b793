package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.core.control.Decoded;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Any bytes as what an operator sends to a parent, and as what a parent answers.
///
/// What is accepted, waited for or refused is what patterns over the whole text say.
class OperatorFuzz {
    private static final Pattern REQUEST = Pattern
            .compile("servery/1 ((status|ready)( json)?|reload|rollback|drain|stop|renew|force_renewal)\n");
    private static final Pattern REQUEST_BEGUN = Pattern.compile("[ -~]{0,255}");
    private static final Pattern REPLY = Pattern.compile(
            "servery/1 (0|[1-9][0-9]{0,2}) (0|[1-9][0-9]{0,6}) (0|[1-9][0-9]{0,6})\n(.*)", Pattern.DOTALL);
    private static final Pattern REPLY_BEGUN = Pattern.compile("[ -~]{0,63}");
    private static final int TEXT_BYTES_MAX = 1_048_576;

    @FuzzTest
    void operator(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        ByteBuffer asked = ByteBuffer.wrap(bytes);
        judge(Cost.within(100_000, () -> OperatorRequest.decode(asked.rewind())), REQUEST.matcher(text).matches(),
                REQUEST_BEGUN.matcher(text).matches(), text);
        ByteBuffer answered = ByteBuffer.wrap(bytes);
        Decoded<OperatorReply> reply = Cost.within(100_000 + 100L * bytes.length,
                () -> OperatorReply.decode(answered.rewind()));
        judge(reply, text);
        if (reply instanceof Decoded.Complete<OperatorReply>(OperatorReply value)) {
            byte[] again = value.encode();
            Invariant.same(reply, OperatorReply.decode(ByteBuffer.wrap(again)), () -> "the reply again");
            Invariant.holds(harmless(value.out()) && harmless(value.err()), () -> "not fit for a terminal: " + value);
        }
    }

    private static void judge(Decoded<OperatorReply> found, String text) {
        Matcher reply = REPLY.matcher(text);
        if (!reply.matches()) {
            judge(found, false, REPLY_BEGUN.matcher(text).matches(), text);
            return;
        }
        int out = Integer.parseInt(reply.group(2));
        int err = Integer.parseInt(reply.group(3));
        boolean bounded = Integer.parseInt(reply.group(1)) <= 255 && out <= TEXT_BYTES_MAX && err <= TEXT_BYTES_MAX;
        byte[] rest = reply.group(4).getBytes(ISO_8859_1);
        boolean whole = rest.length >= out + err;
        judge(found, bounded && whole && isText(rest, 0, out) && isText(rest, out, out + err), bounded && !whole, text);
    }

    private static void judge(Decoded<?> found, boolean whole, boolean begun, String text) {
        switch (found) {
            case Decoded.Complete<?> _ -> Invariant.holds(whole, () -> "accepted: " + text);
            case Decoded.Incomplete<?>(int bytes) -> Invariant.holds(begun && bytes > text.length(),
                    () -> "waited for " + bytes + ": " + text);
            case Decoded.Malformed<?>(String what) -> {
                Invariant.holds(!whole && !begun, () -> "refused: " + what);
                Invariant.holds(what.length() < 300 && harmless(what), () -> "not fit to print: " + what);
            }
        }
    }

    private static boolean isText(byte[] bytes, int from, int to) {
        byte[] part = Arrays.copyOfRange(bytes, from, to);
        return Arrays.equals(new String(part, UTF_8).getBytes(UTF_8), part);
    }

    private static boolean harmless(String text) {
        return text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t');
    }
}
