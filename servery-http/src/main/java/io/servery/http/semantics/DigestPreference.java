package io.servery.http.semantics;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a Want-Repr-Digest or Want-Content-Digest field of a request says (RFC 9530 §4): a Dictionary whose keys are
/// algorithms and whose values are preferences from 1 to 10, or 0 for what is not acceptable.
///
/// A field that is no Dictionary says nothing, as RFC 9651 §4.2 has it; nor does one with any value that is not an Integer
/// from 0 to 10, for then its sender meant something else. It never makes a request wrong: it is only a hint.
public final class DigestPreference {
    /// Nothing is said.
    public static final DigestPreference UNSAID = new DigestPreference(Map.of());

    private static final int WEIGHT_MAX = 10;

    private final @Nullable DigestAlgorithm best;
    private final boolean[] refused = new boolean[DigestAlgorithm.total()];

    private DigestPreference(Map<String, Long> weights) {
        DigestAlgorithm preferred = null;
        long most = 0;
        for (int i = 0; i < DigestAlgorithm.total(); i++) {
            Long weight = weights.get(DigestAlgorithm.at(i).key());
            refused[i] = weight != null && weight == 0;
            if (weight != null && weight > most) {
                preferred = DigestAlgorithm.at(i);
                most = weight;
            }
        }
        this.best = preferred;
    }

    /// What this field of the request says.
    public static DigestPreference of(RequestFields fields, FieldName want) {
        return fields.count(want) == 0 ? UNSAID : parse(fields.values(want));
    }

    /// What these lines say, read as one field.
    public static DigestPreference parse(List<String> lines) {
        Map<String, Long> members = StructuredDictionary.parse(lines);
        if (members == null) {
            return UNSAID;
        }
        for (long weight : members.values()) {
            if (weight < 0 || weight > WEIGHT_MAX) {
                return UNSAID;
            }
        }
        return new DigestPreference(members);
    }

    /// The algorithm that is liked best of those that are served; null when none of them is wanted.
    public @Nullable DigestAlgorithm best() {
        return best;
    }

    /// Whether this algorithm is said to be not acceptable.
    public boolean refuses(DigestAlgorithm algorithm) {
        return refused[algorithm.ordinal()];
    }
}
