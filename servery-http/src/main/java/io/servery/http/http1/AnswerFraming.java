package io.servery.http.http1;

import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Status;

/// How the peer finds the end of an answer (RFC 9112 §6.3).
enum AnswerFraming {
    /// By its head alone: there is no content, or its length is given.
    LENGTH,
    /// By its last chunk.
    CHUNKED,
    /// By the end of the connection: all that HTTP/1.0 has for content of unknown length.
    CONNECTION;

    static AnswerFraming of(ResponseHead head, Http1Exchange exchange) {
        if (head.contentLength() != ResponseHead.LENGTH_UNKNOWN || Status.withoutContent(head.status())) {
            return LENGTH;
        }
        if (exchange.head().version() == HttpVersion.HTTP_1_1) {
            return CHUNKED;
        }
        return exchange.head().method() == Method.HEAD ? LENGTH : CONNECTION;
    }

    /// Whether content follows the head (RFC 9110 §6.4.1).
    static boolean sendsContent(ResponseHead head, Http1Exchange exchange) {
        return !Status.withoutContent(head.status()) && exchange.head().method() != Method.HEAD;
    }

    /// Throws if the plan announces content that it does not have: the peer would take the next answer for it.
    static void require(ResponsePlan plan, Http1Exchange exchange) {
        ResponseHead head = plan.head();
        if (plan instanceof ResponsePlan.Empty && head.contentLength() > 0 && sendsContent(head, exchange)) {
            throw new IllegalArgumentException(
                    "content: found none; the head says " + head.contentLength() + " bytes");
        }
    }
}
