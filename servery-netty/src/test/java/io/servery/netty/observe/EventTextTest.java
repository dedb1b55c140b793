package io.servery.netty.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Logging;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/// Events as lines: one a line, and readable, whatever is in their fields.
class EventTextTest {
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901Z");

    private static Event event(Object value) {
        return Event.of(Logging.Level.WARN, "admission.rejected").with("message", value);
    }

    @Test
    void jsonBeginsWithTimeInMillisecondsLevelAndName() {
        assertThat(EventText.json(event("x"), TIME)).isEqualTo("{\"timestamp\":\"2026-01-02T03:04:05.678Z\","
                + "\"level\":\"warn\",\"event\":\"admission.rejected\",\"message\":\"x\"}\n");
    }

    @Test
    void numbersAndBooleansAreBareInJson() {
        assertThat(EventText.json(event(-7L).with("complete", true), TIME))
                .endsWith("\"message\":-7,\"complete\":true}\n");
    }

    /// RFC 8259 §7, and nothing that a terminal would obey.
    @Test
    void everyCharacterOfTheFirstTwoHundredFiftySixIsPrintedOrEscaped() {
        for (char c = 0; c < 256; c++) {
            String expected = switch (c) {
                case '"' -> "\\\"";
                case '\\' -> "\\\\";
                case '\n' -> "\\n";
                case '\r' -> "\\r";
                case '\t' -> "\\t";
                default -> c < ' ' || c >= 0x7f ? "\\u%04x".formatted((int) c) : String.valueOf(c);
            };
            assertThat(EventText.json(event("a" + c + "b"), TIME)).endsWith(":\"a" + expected + "b\"}\n");
        }
    }

    @Test
    void separatorsOfLinesAndHalvesOfPairsAreEscaped() {
        assertThat(EventText.json(event("\u2028\ud83d\ude00\ud800"), TIME))
                .endsWith(":\"\\u2028\\ud83d\\ude00\\ud800\"}\n");
    }

    @Test
    void humanValueIsQuotedWhereItCouldBeTakenForAnotherField() {
        assertThat(EventText.human(event("plain-text"))).isEqualTo("admission.rejected message=plain-text\n");
        assertThat(EventText.human(event("two words"))).isEqualTo("admission.rejected message=\"two words\"\n");
        assertThat(EventText.human(event(""))).isEqualTo("admission.rejected message=\"\"\n");
        assertThat(EventText.human(event("\u001b[31m\nlevel=info")))
                .isEqualTo("admission.rejected message=\"\\u001b[31m\\nlevel=info\"\n");
    }

    @Test
    void longValueIsCutAndTheCutIsMarked() {
        String cut = "a".repeat(EventText.VALUE_CHARACTERS_MAX) + "...\"";

        assertThat(EventText.json(event("a".repeat(100_000)), TIME)).endsWith(":\"" + cut + "}\n");
        assertThat(EventText.human(event("a".repeat(100_000)))).endsWith("=\"" + cut + "\n");
        assertThat(EventText.human(event("a".repeat(EventText.VALUE_CHARACTERS_MAX)))).endsWith("=" + "a".repeat(
                EventText.VALUE_CHARACTERS_MAX) + "\n");
    }

    @Test
    void eventsBelowTheLevelAreNotWritten() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Events events = new Events(Logging.Level.WARN, true, out, Clock.fixed(TIME, ZoneOffset.UTC));
        events.emit(Event.of(Logging.Level.INFO, "quiet"));
        events.emit(Event.of(Logging.Level.WARN, "loud"));
        assertThat(events.close(PATIENCE_NANOS)).isTrue();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(
                "{\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"level\":\"warn\",\"event\":\"loud\"}\n");
    }

    @Test
    void bugNamesItsClassAndPlaceOnOneLine() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Events events = new Events(Logging.Level.INFO, true, out, Clock.fixed(TIME, ZoneOffset.UTC));
        events.bug(new IllegalStateException("first\nsecond"));
        assertThat(events.close(PATIENCE_NANOS)).isTrue();

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"event\":\"runtime.bug\"",
                "\"error_class\":\"java.lang.IllegalStateException\"", "\"message\":\"first\\nsecond\"",
                "\"at\":\"" + EventTextTest.class.getName() + ".bugNamesItsClassAndPlaceOnOneLine(").hasLineCount(1);
    }
}
