package io.servery.http.semantics;

import static io.servery.http.semantics.Preconditions.Outcome.FAILED;
import static io.servery.http.semantics.Preconditions.Outcome.NOT_MODIFIED;
import static io.servery.http.semantics.Preconditions.Outcome.PROCEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.Preconditions.Outcome;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §13.
class PreconditionsTest {
    private static final long CHANGED = 784_111_777L;
    private static final long NOW = CHANGED + 1_000_000;
    private static final Validators STRONG = new Validators(new EntityTag("v1", false), CHANGED);
    private static final Validators WEAK = new Validators(new EntityTag("v1", true), CHANGED);
    private static final Validators WITHOUT_TAG = new Validators(null, CHANGED);
    private static final Validators WITHOUT_DATE = new Validators(new EntityTag("v1", false), Validators.UNKNOWN);
    private static final Validators NO_REPRESENTATION = null;

    private static final String BEFORE = HttpDate.format(CHANGED - 1);
    private static final String EXACT = HttpDate.format(CHANGED);
    private static final String AFTER = HttpDate.format(CHANGED + 1);

    @ParameterizedTest
    @EnumSource(Method.class)
    void requestWithoutPreconditionsProceeds(Method method) {
        assertThat(evaluate(method, Fields.NONE, STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, Fields.NONE, NO_REPRESENTATION)).isEqualTo(PROCEED);
    }

    // §13.1.1 If-Match

    @ParameterizedTest
    @EnumSource(names = {"GET", "HEAD", "QUERY", "POST", "PUT", "DELETE", "PATCH"})
    void ifMatchHoldsWhenOneListedTagMatchesAndFailsOtherwise(Method method) {
        assertThat(evaluate(method, ifMatch("\"v1\""), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, ifMatch("\"v0\", \"v1\""), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, ifMatch("\"v0\"", "\"v1\""), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, ifMatch("\"v0\", \"v2\""), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(method, ifMatch("\"v1\""), NO_REPRESENTATION)).isEqualTo(FAILED);
    }

    @Test
    void ifMatchAsteriskAsksForAnyCurrentRepresentation() {
        assertThat(evaluate(Method.PUT, ifMatch("*"), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifMatch("*"), WITHOUT_TAG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifMatch("*"), NO_REPRESENTATION)).isEqualTo(FAILED);
    }

    @Test
    void ifMatchComparesStrongly() {
        assertThat(evaluate(Method.PUT, ifMatch("W/\"v1\""), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(Method.PUT, ifMatch("\"v1\""), WEAK)).isEqualTo(FAILED);
        assertThat(evaluate(Method.PUT, ifMatch("W/\"v1\""), WEAK)).isEqualTo(FAILED);
    }

    @Test
    void ifMatchWithTagsFailsForARepresentationWithoutOne() {
        assertThat(evaluate(Method.PUT, ifMatch("\"v1\""), WITHOUT_TAG)).isEqualTo(FAILED);
        assertThat(evaluate(Method.PUT, ifMatch("\"\""), WITHOUT_TAG)).isEqualTo(FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "v1", "\"v1", "\"v1\" x", "\"v1\", v2", "*, \"v1\"", "\"v1\", *", "w/\"v1\""})
    void ifMatchThatNamesNothingOrIsMalformedFails(String value) {
        assertThat(evaluate(Method.PUT, ifMatch(value), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(Method.GET, ifMatch(value), STRONG)).isEqualTo(FAILED);
    }

    // §13.1.2 If-None-Match

    @ParameterizedTest
    @EnumSource(names = {"GET", "HEAD", "QUERY"})
    void ifNoneMatchThatMatchesIsNotModifiedForRetrieval(Method method) {
        assertThat(evaluate(method, ifNoneMatch("\"v1\""), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(method, ifNoneMatch("*"), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(method, ifNoneMatch("*"), WITHOUT_TAG)).isEqualTo(NOT_MODIFIED);
    }

    @ParameterizedTest
    @EnumSource(names = {"POST", "PUT", "DELETE", "PATCH"})
    void ifNoneMatchThatMatchesFailsForOtherMethods(Method method) {
        assertThat(evaluate(method, ifNoneMatch("\"v1\""), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(method, ifNoneMatch("*"), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(method, ifNoneMatch("*"), NO_REPRESENTATION)).isEqualTo(PROCEED);
    }

    @Test
    void ifNoneMatchComparesWeakly() {
        assertThat(evaluate(Method.GET, ifNoneMatch("W/\"v1\""), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifNoneMatch("\"v1\""), WEAK)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifNoneMatch("W/\"v1\""), WEAK)).isEqualTo(NOT_MODIFIED);
    }

    @Test
    void ifNoneMatchIsReadOverAllMembersOfAllLines() {
        assertThat(evaluate(Method.GET, ifNoneMatch("\"a,b\", \"v1\""), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifNoneMatch("\"a\" ,, W/\"b\"", "", ",\"v1\","), STRONG))
                .isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifNoneMatch("\"a,v1\", \"v1,b\"", "\"v\""), STRONG)).isEqualTo(PROCEED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "\"v1", "\"v1\" \"v2\"", "v0, \"v1\"", "\"v1\", v0", "*, \"v1\"", "\"v1\";x"})
    void ifNoneMatchThatIsMalformedSendsTheWholeAndChangesNothing(String value) {
        assertThat(evaluate(Method.GET, ifNoneMatch(value), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifNoneMatch(value), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(Method.PUT, ifNoneMatch(value), NO_REPRESENTATION)).isEqualTo(FAILED);
    }

    @Test
    void asteriskOnOneOfSeveralLinesIsMalformed() {
        assertThat(evaluate(Method.GET, ifNoneMatch("*", "\"a\""), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifMatch("*", "\"a\""), STRONG)).isEqualTo(FAILED);
    }

    @Test
    void ifNoneMatchWithoutMembersMatchesNothing() {
        assertThat(evaluate(Method.GET, ifNoneMatch(""), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifNoneMatch(""), STRONG)).isEqualTo(PROCEED);
    }

    // §13.1.3 If-Modified-Since

    @ParameterizedTest
    @EnumSource(names = {"GET", "HEAD", "QUERY"})
    void ifModifiedSinceIsNotModifiedFromTheDateOfTheChangeOn(Method method) {
        assertThat(evaluate(method, ifModifiedSince(BEFORE), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, ifModifiedSince(EXACT), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(method, ifModifiedSince(AFTER), STRONG)).isEqualTo(NOT_MODIFIED);
    }

    @ParameterizedTest
    @EnumSource(names = {"POST", "PUT", "DELETE", "PATCH"})
    void ifModifiedSinceIsIgnoredForOtherMethods(Method method) {
        assertThat(evaluate(method, ifModifiedSince(AFTER), STRONG)).isEqualTo(PROCEED);
    }

    @Test
    void ifModifiedSinceIsIgnoredWithoutAModificationDate() {
        assertThat(evaluate(Method.GET, ifModifiedSince(AFTER), WITHOUT_DATE)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.GET, ifModifiedSince(AFTER), NO_REPRESENTATION)).isEqualTo(PROCEED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "784111777", "\"v1\""})
    void datesThatAreNoneAreIgnored(String value) {
        assertThat(evaluate(Method.GET, ifModifiedSince(value), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifUnmodifiedSince(value), STRONG)).isEqualTo(PROCEED);
    }

    @Test
    void severalLinesOfADateAreIgnored() {
        assertThat(evaluate(Method.GET, ifModifiedSince(EXACT, EXACT), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifUnmodifiedSince(BEFORE, BEFORE), STRONG)).isEqualTo(PROCEED);
    }

    @Test
    void obsoleteFormatsAreDates() {
        assertThat(evaluate(Method.GET, ifModifiedSince("Sunday, 06-Nov-94 08:49:37 GMT"), STRONG))
                .isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifModifiedSince("Sun Nov  6 08:49:37 1994"), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifModifiedSince("Sun Nov  6 08:49:36 1994"), STRONG)).isEqualTo(PROCEED);
    }

    @Test
    void dateInTheFutureIsComparedAsItStands() {
        assertThat(evaluate(Method.GET, ifModifiedSince(HttpDate.format(NOW + 3600)), STRONG)).isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.PUT, ifUnmodifiedSince(HttpDate.format(NOW + 3600)), STRONG)).isEqualTo(PROCEED);
    }

    // §13.1.4 If-Unmodified-Since

    @ParameterizedTest
    @EnumSource(names = {"GET", "HEAD", "QUERY", "POST", "PUT", "DELETE", "PATCH"})
    void ifUnmodifiedSinceFailsWhenTheChangeIsLater(Method method) {
        assertThat(evaluate(method, ifUnmodifiedSince(BEFORE), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(method, ifUnmodifiedSince(EXACT), STRONG)).isEqualTo(PROCEED);
        assertThat(evaluate(method, ifUnmodifiedSince(AFTER), STRONG)).isEqualTo(PROCEED);
    }

    @Test
    void ifUnmodifiedSinceIsIgnoredWithoutAModificationDate() {
        assertThat(evaluate(Method.PUT, ifUnmodifiedSince(BEFORE), WITHOUT_DATE)).isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifUnmodifiedSince(BEFORE), NO_REPRESENTATION)).isEqualTo(PROCEED);
    }

    // §13.1.5 If-Range

    @Test
    void rangeAppliesWithoutIfRange() {
        assertThat(rangeApplies(range(), STRONG)).isTrue();
        assertThat(rangeApplies(range(), WITHOUT_TAG)).isTrue();
    }

    @Test
    void rangeAppliesOnlyWhereThereIsExactlyOneRangeLine() {
        assertThat(rangeApplies(Fields.NONE, STRONG)).isFalse();
        assertThat(rangeApplies(Fields.of(FieldName.IF_RANGE, "\"v1\""), STRONG)).isFalse();
        assertThat(rangeApplies(Fields.of(FieldName.RANGE, "bytes=0-1", "bytes=2-3"), STRONG)).isFalse();
    }

    @Test
    void rangeDoesNotApplyToNothing() {
        assertThat(rangeApplies(range(), NO_REPRESENTATION)).isFalse();
    }

    @Test
    void ifRangeComparesTagsStrongly() {
        assertThat(rangeApplies(ifRange("\"v1\""), STRONG)).isTrue();
        assertThat(rangeApplies(ifRange("\"v2\""), STRONG)).isFalse();
        assertThat(rangeApplies(ifRange("W/\"v1\""), STRONG)).isFalse();
        assertThat(rangeApplies(ifRange("\"v1\""), WEAK)).isFalse();
        assertThat(rangeApplies(ifRange("W/\"v1\""), WEAK)).isFalse();
        assertThat(rangeApplies(ifRange("\"v1\""), WITHOUT_TAG)).isFalse();
    }

    @Test
    void ifRangeComparesDatesExactly() {
        assertThat(rangeApplies(ifRange(EXACT), STRONG)).isTrue();
        assertThat(rangeApplies(ifRange(BEFORE), STRONG)).isFalse();
        assertThat(rangeApplies(ifRange(AFTER), STRONG)).isFalse();
        assertThat(rangeApplies(ifRange(EXACT), WITHOUT_DATE)).isFalse();
    }

    @Test
    void ifRangeDateIsStrongFromOneSecondAfterTheChangeOn() {
        assertThat(Preconditions.rangeApplies(ifRange(EXACT), STRONG, CHANGED - 1)).isFalse();
        assertThat(Preconditions.rangeApplies(ifRange(EXACT), STRONG, CHANGED)).isFalse();
        assertThat(Preconditions.rangeApplies(ifRange(EXACT), STRONG, CHANGED + 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "v1", "\"v1", "\"v0\", \"v1\"", "\"v1\", \"v1\"", "tomorrow", "w/\"v1\"",
            "\"v1\" "})
    void ifRangeThatIsNoSingleValidatorSendsTheWhole(String value) {
        assertThat(rangeApplies(ifRange(value), STRONG)).isFalse();
    }

    @Test
    void ifRangeOfUnknownDateNeverMatchesAnInvalidOne() {
        assertThat(rangeApplies(ifRange("Sun, 99 Nov 1994 08:49:37 GMT"), WITHOUT_DATE)).isFalse();
    }

    @Test
    void severalIfRangeLinesSendTheWhole() {
        assertThat(rangeApplies(range().and(FieldName.IF_RANGE, "\"v1\"", "\"v1\""), STRONG)).isFalse();
    }

    // §13.2.1 When to evaluate

    @ParameterizedTest
    @EnumSource(names = {"CONNECT", "OPTIONS", "TRACE", "UNKNOWN"})
    void methodsThatSelectNoRepresentationIgnorePreconditions(Method method) {
        Fields failing = ifMatch("\"v0\"").and(FieldName.IF_NONE_MATCH, "*")
                .and(FieldName.IF_UNMODIFIED_SINCE, BEFORE).and(FieldName.IF_MODIFIED_SINCE, AFTER);
        assertThat(evaluate(method, failing, STRONG)).isEqualTo(PROCEED);
    }

    // §13.2.2 Precedence

    @Test
    void ifUnmodifiedSinceIsIgnoredBesideIfMatch() {
        assertThat(evaluate(Method.PUT, ifMatch("\"v1\"").and(FieldName.IF_UNMODIFIED_SINCE, BEFORE), STRONG))
                .isEqualTo(PROCEED);
        assertThat(evaluate(Method.PUT, ifMatch("\"v0\"").and(FieldName.IF_UNMODIFIED_SINCE, AFTER), STRONG))
                .isEqualTo(FAILED);
    }

    @Test
    void failedIfMatchComesBeforeIfNoneMatch() {
        assertThat(evaluate(Method.GET, ifMatch("\"v0\"").and(FieldName.IF_NONE_MATCH, "\"v1\""), STRONG))
                .isEqualTo(FAILED);
        assertThat(evaluate(Method.GET, ifMatch("\"v1\"").and(FieldName.IF_NONE_MATCH, "\"v1\""), STRONG))
                .isEqualTo(NOT_MODIFIED);
    }

    @Test
    void failedIfUnmodifiedSinceComesBeforeIfNoneMatchAndIfModifiedSince() {
        Fields fields = ifUnmodifiedSince(BEFORE);
        assertThat(evaluate(Method.GET, fields.and(FieldName.IF_NONE_MATCH, "\"v1\""), STRONG)).isEqualTo(FAILED);
        assertThat(evaluate(Method.GET, fields.and(FieldName.IF_MODIFIED_SINCE, AFTER), STRONG)).isEqualTo(FAILED);
    }

    @Test
    void ifModifiedSinceIsIgnoredBesideIfNoneMatch() {
        assertThat(evaluate(Method.GET, ifNoneMatch("\"v0\"").and(FieldName.IF_MODIFIED_SINCE, AFTER), STRONG))
                .isEqualTo(PROCEED);
        assertThat(evaluate(Method.GET, ifNoneMatch("\"v1\"").and(FieldName.IF_MODIFIED_SINCE, BEFORE), STRONG))
                .isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifNoneMatch("garbage").and(FieldName.IF_MODIFIED_SINCE, AFTER), STRONG))
                .isEqualTo(PROCEED);
    }

    @Test
    void preconditionsThatHoldLeadToTheNextStep() {
        assertThat(evaluate(Method.GET, ifMatch("*").and(FieldName.IF_MODIFIED_SINCE, EXACT), STRONG))
                .isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.GET, ifUnmodifiedSince(AFTER).and(FieldName.IF_MODIFIED_SINCE, EXACT), STRONG))
                .isEqualTo(NOT_MODIFIED);
        assertThat(evaluate(Method.PUT, ifMatch("*").and(FieldName.IF_NONE_MATCH, "*"), STRONG)).isEqualTo(FAILED);
    }

    @Property
    void anyTextGivesAnOutcomeThatItsMethodMayHave(@ForAll Method method, @ForAll String one, @ForAll String other,
            @ForAll boolean exists) {
        Fields fields = ifMatch(one, other).and(FieldName.IF_NONE_MATCH, other).and(FieldName.IF_RANGE, one)
                .and(FieldName.IF_MODIFIED_SINCE, one).and(FieldName.IF_UNMODIFIED_SINCE, other)
                .and(FieldName.RANGE, one);
        Outcome outcome = evaluate(method, fields, exists ? STRONG : NO_REPRESENTATION);
        boolean retrieves = method == Method.GET || method == Method.HEAD || method == Method.QUERY;
        assertThat(outcome == NOT_MODIFIED && !retrieves).isFalse();
        assertThat(rangeApplies(fields, STRONG)).isEqualTo(one.equals("\"v1\"") || one.equals(EXACT));
    }

    private static Outcome evaluate(Method method, Fields fields, Validators current) {
        return Preconditions.evaluate(method, fields, current, NOW);
    }

    private static boolean rangeApplies(Fields fields, Validators current) {
        return Preconditions.rangeApplies(fields, current, NOW);
    }

    private static Fields ifMatch(String... lines) {
        return Fields.of(FieldName.IF_MATCH, lines);
    }

    private static Fields ifNoneMatch(String... lines) {
        return Fields.of(FieldName.IF_NONE_MATCH, lines);
    }

    private static Fields ifModifiedSince(String... lines) {
        return Fields.of(FieldName.IF_MODIFIED_SINCE, lines);
    }

    private static Fields ifUnmodifiedSince(String... lines) {
        return Fields.of(FieldName.IF_UNMODIFIED_SINCE, lines);
    }

    private static Fields range() {
        return Fields.of(FieldName.RANGE, "bytes=0-1");
    }

    private static Fields ifRange(String value) {
        return range().and(FieldName.IF_RANGE, value);
    }
}
