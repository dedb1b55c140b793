package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// What the functions on every request's way allocate, counted by the JVM for this thread.
class AllocationTest {
    private static final int RUNS = 20_000;
    private static final long NOW = 784_111_777L;
    private static final Validators CURRENT = new Validators(new EntityTag("5f3-abc", false), NOW - 100);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private int sink;

    @Test
    void absentPreconditionsAllocateNothing() {
        assertThat(octetsPerRun(() -> sink += Preconditions.evaluate(Method.GET, Fields.NONE, CURRENT, NOW).hashCode()))
                .isZero();
    }

    @Test
    void oneEntityTagIsComparedWithoutAllocation() {
        Fields fields = Fields.of(FieldName.IF_NONE_MATCH, "W/\"x\", \"5f3-abc\"");
        assertThat(octetsPerRun(() -> sink += Preconditions.evaluate(Method.GET, fields, CURRENT, NOW).hashCode()))
                .isZero();
    }

    @Test
    void dateIsComparedWithoutAllocation() {
        Fields fields = Fields.of(FieldName.IF_MODIFIED_SINCE, HttpDate.format(NOW));
        assertThat(octetsPerRun(() -> sink += Preconditions.evaluate(Method.GET, fields, CURRENT, NOW).hashCode()))
                .isZero();
    }

    @Test
    void absentAndCommonAcceptEncodingAllocateNothing() {
        Fields common = Fields.of(FieldName.ACCEPT_ENCODING, "gzip, deflate, br");
        assertThat(octetsPerRun(() -> sink += AcceptEncoding.of(Fields.NONE).codings().size())).isZero();
        assertThat(octetsPerRun(() -> sink += AcceptEncoding.of(common).codings().size())).isZero();
    }

    @Test
    void connectionOptionsAllocateNothing() {
        Fields fields = Fields.of(FieldName.CONNECTION, "keep-alive, Upgrade");
        assertThat(octetsPerRun(() -> sink += FieldSyntax.connectionOptions(fields).close() ? 1 : 2)).isZero();
        assertThat(octetsPerRun(() -> sink += FieldSyntax.connectionOptions(Fields.NONE).close() ? 1 : 2)).isZero();
    }

    @Test
    void hostIsValidatedWithoutAllocation() {
        assertThat(octetsPerRun(() -> sink += Authority.isValid("www.example.com:8443") ? 1 : 2)).isZero();
    }

    @Test
    void plainPathAllocatesItsResultsAlone() {
        assertThat(octetsPerRun(() -> sink += files("/assets/site/index.html"))).isLessThanOrEqualTo(96);
    }

    @Test
    void dateIsWrittenIntoABufferWithoutAllocation() {
        byte[] buffer = new byte[HttpDate.LENGTH];
        assertThat(octetsPerRun(() -> HttpDate.write(NOW + sink++ % 1000, buffer, 0))).isZero();
    }

    @Test
    void formattingADateCostsLessThanHalfOfTheFormatterOfTheJdk() {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
                .withZone(ZoneOffset.UTC);
        long theirs = octetsPerRun(() -> sink += formatter.format(Instant.ofEpochSecond(NOW + sink % 1000)).length());
        long ours = octetsPerRun(() -> sink += HttpDate.format(NOW + sink % 1000).length());
        assertThat(ours).isLessThanOrEqualTo(128).isLessThan(theirs / 2);
    }

    private static int files(String raw) {
        return TargetPath.resolve(raw) instanceof TargetPath.Accepted accepted
                && FilePath.of(accepted, false) instanceof FilePath.Named named ? named.path().length() : 0;
    }

    private long octetsPerRun(Runnable work) {
        for (int run = 0; run < RUNS; run++) {
            work.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int run = 0; run < RUNS; run++) {
            work.run();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / RUNS;
    }
}
