package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §15 and, for 428 to 431, RFC 6585.
class StatusTest {
    @ParameterizedTest
    @CsvSource({"100, Continue", "200, OK", "201, Created", "202, Accepted", "204, No Content", "206, Partial Content",
            "301, Moved Permanently", "302, Found", "303, See Other", "304, Not Modified", "307, Temporary Redirect",
            "308, Permanent Redirect", "400, Bad Request", "401, Unauthorized", "403, Forbidden", "404, Not Found",
            "405, Method Not Allowed", "406, Not Acceptable", "408, Request Timeout", "409, Conflict",
            "411, Length Required", "412, Precondition Failed", "413, Content Too Large", "414, URI Too Long",
            "415, Unsupported Media Type", "416, Range Not Satisfiable", "417, Expectation Failed",
            "421, Misdirected Request", "426, Upgrade Required", "429, Too Many Requests",
            "431, Request Header Fields Too Large", "500, Internal Server Error", "501, Not Implemented",
            "502, Bad Gateway", "503, Service Unavailable", "504, Gateway Timeout", "505, HTTP Version Not Supported"})
    void phraseIsTheOneOfTheRfc(int status, String phrase) {
        assertThat(Status.phrase(status)).isEqualTo(phrase);
    }

    @Test
    void unknownCodeHasNoPhrase() {
        assertThat(Status.phrase(299)).isEmpty();
        assertThat(Status.phrase(-1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 103, 199, 204, 304})
    void informationalNoContentAndNotModifiedHaveNoContent(int status) {
        assertThat(Status.withoutContent(status)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 205, 206, 301, 400, 412, 416, 500})
    void otherStatusesMayHaveContent(int status) {
        assertThat(Status.withoutContent(status)).isFalse();
    }
}
