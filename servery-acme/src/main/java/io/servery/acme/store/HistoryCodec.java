package io.servery.acme.store;

import io.servery.acme.renewal.History;

/// What failed and until when the authority wants to be left alone, as text.
final class HistoryCodec implements RecordFile.Codec<History> {

    @Override
    public String encode(History history) {
        StringBuilder text = new StringBuilder().append("failures ").append(history.failures()).append('\n');
        history.failedAt().ifPresent(at -> text.append("failed-at ").append(at).append('\n'));
        history.blockedUntil().ifPresent(until -> text.append("blocked-until ").append(until).append('\n'));
        history.activatedAt().ifPresent(at -> text.append("activated-at ").append(at).append('\n'));
        return text.toString();
    }

    @Override
    public History decode(String body) throws DamageException {
        Fields fields = Fields.of(body);
        try {
            return new History(fields.number("failures"), fields.moment("failed-at"), fields.moment("blocked-until"),
                    fields.moment("activated-at"));
        } catch (IllegalArgumentException contradiction) {
            throw new DamageException(String.valueOf(contradiction.getMessage()));
        }
    }
}
