package io.servery.netty.cli;

import io.servery.core.config.Setting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a command line that serves says, by whichever reader.
///
/// @param values what each given option was given: its values in their order, or `true` or `false` once
/// @param directory of `serve`; null when it names none, and for `run`
record ServingWords(boolean serve, Map<ServingOption, List<String>> values, @Nullable String directory) {
    ServingWords {
        values = values.isEmpty() ? Map.of() : new EnumMap<>(values);
    }

    boolean has(ServingOption option) {
        return values.containsKey(option);
    }

    /// The values of an option, none when it was not given.
    List<String> of(ServingOption option) {
        return values.getOrDefault(option, List.of());
    }

    /// The short options in the order of the table, then `--set`, which holds where both say something.
    List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        if (serve) {
            settings.add(new Setting("serve", "application.static.root", directory == null ? "." : directory));
        }
        for (Map.Entry<ServingOption, List<String>> given : values.entrySet()) {
            ServingOption option = given.getKey();
            if (!option.key().isEmpty()) {
                settings.add(new Setting(option.longName(), option.key(), option.takes() == ServingOption.Takes.VALUES
                        ? list(given.getValue())
                        : given.getValue().getFirst()));
            }
        }
        for (String words : of(ServingOption.SET)) {
            Setting setting = Assignment.setting(words);
            if (setting == null) {
                throw new IllegalStateException(Assignment.wrong(words));
            }
            settings.add(setting);
        }
        return settings;
    }

    private static String list(List<String> words) {
        StringBuilder list = new StringBuilder("[");
        for (String each : words) {
            list.append(list.length() == 1 ? "" : ", ").append(Setting.quoted(each));
        }
        return list.append(']').toString();
    }
}
