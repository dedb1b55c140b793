package io.servery.netty.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/// `serve` or `run` as picocli sees them, made from {@link ServingOption}: help, completion, and every command line that is
/// not plain.
final class ServingModel implements Callable<Integer> {
    private final boolean serve;
    private final CommandSpec spec;
    private final ToIntFunction<ServingWords> command;

    private ServingModel(boolean serve, ToIntFunction<ServingWords> command) {
        this.serve = serve;
        this.command = command;
        this.spec = CommandSpec.wrapWithoutInspection(this);
    }

    static CommandLine serve(ToIntFunction<ServingWords> command) {
        ServingModel model = new ServingModel(true, command);
        model.spec.name("serve").usageMessage().description("Serve a directory. No file is needed.");
        model.spec.addPositional(PositionalParamSpec.builder().index("0").arity("0..1").paramLabel("DIR")
                .type(String.class).description("The directory; the working directory when absent.").build());
        return model.withOptions(EnumSet.complementOf(EnumSet.of(ServingOption.CONFIG)));
    }

    static CommandLine run(ToIntFunction<ServingWords> command) {
        ServingModel model = new ServingModel(false, command);
        model.spec.name("run").usageMessage().description("Serve what a file describes.");
        return model.withOptions(ServingOption.OF_RUN);
    }

    private CommandLine withOptions(Set<ServingOption> options) {
        for (ServingOption option : ServingOption.values()) {
            if (options.contains(option)) {
                spec.addOption(option(option));
            }
        }
        return new CommandLine(spec);
    }

    private static OptionSpec option(ServingOption option) {
        OptionSpec.Builder builder = OptionSpec.builder(option.names().toArray(new String[0]))
                .description(option.description());
        if (option == ServingOption.SET) {
            builder.completionCandidates(new ConfigurationOptions.Keys());
        }
        return switch (option.takes()) {
            case VALUE -> builder.paramLabel(option.label()).type(String.class).build();
            case VALUES -> builder.paramLabel(option.label()).type(List.class).auxiliaryTypes(String.class).build();
            case NOTHING -> builder.type(Boolean.class).arity("0").build();
            case NO_OR_NOTHING -> builder.type(Boolean.class).arity("0").negatable(true).build();
        };
    }

    @Override
    public Integer call() {
        CommandLine.ParseResult parsed = spec.commandLine().getParseResult();
        Map<ServingOption, List<String>> values = new EnumMap<>(ServingOption.class);
        for (ServingOption option : ServingOption.values()) {
            if (spec.findOption(option.longName()) != null && parsed.hasMatchedOption(option.longName())) {
                values.put(option, words(parsed.matchedOptionValue(option.longName(), List.of())));
            }
        }
        for (String words : values.getOrDefault(ServingOption.SET, List.of())) {
            if (Assignment.setting(words) == null) {
                throw new ParameterException(spec.commandLine(), Assignment.wrong(words));
            }
        }
        if (!serve && !values.containsKey(ServingOption.CONFIG)) {
            throw new ParameterException(spec.commandLine(), ConfigurationOptions.NO_FILE);
        }
        return command.applyAsInt(new ServingWords(serve, values, parsed.matchedPositionalValue(0, null)));
    }

    private static List<String> words(Object value) {
        List<String> words = new ArrayList<>();
        for (Object each : value instanceof List<?> list ? list : List.of(value)) {
            words.add(each.toString());
        }
        return words;
    }
}
