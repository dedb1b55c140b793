package io.servery.http.exchange;

import java.util.List;
import java.util.function.Consumer;

/// What answers the exchanges of a listener, whatever their protocol.
///
/// @param stages judge every exchange in this order before the handler sees it
/// @param handler answers what no stage refused
/// @param refusalPages the answers of the refusal table
/// @param completions told of every exchange that ended
/// @param bugs told of every exception that no code expected
public record HttpService(List<Stage> stages, Handler handler, RefusalPages refusalPages,
        CompletionListener completions, Consumer<Throwable> bugs) {
    public HttpService {
        stages = List.copyOf(stages);
    }
}
