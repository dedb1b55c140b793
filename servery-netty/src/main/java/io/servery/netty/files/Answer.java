package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import java.util.List;

/// What a request gets.
sealed interface Answer {
    /// The plan says it all.
    record Given(ResponsePlan plan) implements Answer {
    }

    /// A row of the refusal table, with the fields that only this answer has.
    record Refused(Refusal refusal, List<Field> more) implements Answer {
        public Refused {
            more = List.copyOf(more);
        }
    }
}
