package io.servery.http.exchange;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What answers the exchanges of a listener, whatever their protocol.
///
/// @param stages judge every exchange in this order before the handler sees it
/// @param handler answers what no stage refused
/// @param refusalPages the answers of the refusal table
/// @param completions told of every exchange that ended
/// @param bugs told of every exception that no code expected
/// @param ofAnyHost what is answered whichever host it asks for, also one that the certificate of its connection is not for
public record HttpService(List<Stage> stages, Handler handler, RefusalPages refusalPages,
        CompletionListener completions, Consumer<Throwable> bugs, Predicate<Exchange> ofAnyHost) {
    public HttpService {
        stages = List.copyOf(stages);
    }

    /// One that answers for the hosts of its certificates alone.
    public HttpService(List<Stage> stages, Handler handler, RefusalPages refusalPages,
            CompletionListener completions, Consumer<Throwable> bugs) {
        this(stages, handler, refusalPages, completions, bugs, _ -> false);
    }
}
