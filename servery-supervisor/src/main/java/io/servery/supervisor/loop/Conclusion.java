package io.servery.supervisor.loop;

import io.servery.core.lifecycle.Verdict;
import java.util.List;

/// What became of a change of configuration.
///
/// @param reload its number; 0 is the start
/// @param changed the keys that differ; empty where none do, or none was read
public record Conclusion(int reload, Verdict verdict, List<String> changed) {
    public Conclusion {
        changed = List.copyOf(changed);
    }
}
