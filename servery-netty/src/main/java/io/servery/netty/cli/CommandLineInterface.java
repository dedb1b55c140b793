package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UnmatchedArgsBinding;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The commands of `servery`, from words to an exit code.
public final class CommandLineInterface {
    /// Commands of the contract whose feature comes later.
    private static final List<String> LATER = List.of("renew", "logs");

    /// So much of a stack tells where a bug is.
    private static final int FRAMES_MAX = 20;

    private final ServiceLauncher launcher;
    private final Surroundings surroundings;

    public CommandLineInterface(ServiceLauncher launcher, Surroundings surroundings) {
        this.launcher = launcher;
        this.surroundings = surroundings;
    }

    /// Does what the words say.
    ///
    /// @return the exit code of the process
    public int execute(String... words) {
        int code = commandLine(words).execute(words);
        return code == ExitCode.OK.code() && surroundings.out().checkError() ? unwritten() : code;
    }

    /// Whoever goes on with half of what was asked for must not take it for all of it.
    private int unwritten() {
        surroundings.err().println("servery: standard output: found that it cannot be written, or not all of it");
        return ExitCode.FAILED.code();
    }

    /// Making every command takes a good part of a start, so words that begin with what serves make that alone; if
    /// anything is wrong with them, all commands judge them, and say so.
    private CommandLine commandLine(String... words) {
        Loader loader = new Loader(surroundings);
        return switch (words.length == 0 ? "" : words[0]) {
            case "run" -> serving(loader, List.of(new RunCommand(loader, launcher)));
            case "serve" -> serving(loader, List.of(new ServeCommand(loader, launcher)));
            case "-c", "--config" -> serving(loader, List.of());
            default -> all(loader);
        };
    }

    private CommandLine serving(Loader loader, List<Object> commands) {
        CommandLine line = new CommandLine(new RootCommand(loader, launcher, surroundings));
        commands.forEach(line::addSubcommand);
        return settled(line).setParameterExceptionHandler((_, words) -> all(loader).execute(words));
    }

    private CommandLine all(Loader loader) {
        CommandLine line = new CommandLine(new RootCommand(loader, launcher, surroundings));
        line.addSubcommand(new RunCommand(loader, launcher));
        line.addSubcommand(new ServeCommand(loader, launcher));
        line.addSubcommand(new CheckCommand(loader, surroundings));
        line.addSubcommand(new ConfigCommand(loader, surroundings));
        line.addSubcommand(new InitCommand(surroundings));
        line.addSubcommand(new VersionCommand(surroundings));
        line.addSubcommand(new CompletionCommand(surroundings));
        line.addSubcommand(new StatusCommand(surroundings));
        ChangeCommand.all(surroundings).forEach(change -> line.addSubcommand(change.getCommandName(), change));
        LATER.forEach(name -> line.addSubcommand(later(name)));
        return settled(line);
    }

    private CommandLine settled(CommandLine line) {
        help(line);
        line.getSubcommands().values().stream().filter(command -> !(command.getCommand() instanceof LaterCommand))
                .forEach(CommandLineInterface::help);
        Ansi ansi = surroundings.outHasColour() ? Ansi.ON : Ansi.OFF;
        return line.setExpandAtFiles(false).setUnmatchedOptionsAllowedAsOptionParameters(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
                .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(this::usage).setExecutionExceptionHandler(this::bug);
    }

    private static void help(CommandLine line) {
        line.getCommandSpec().addOption(
                OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this.").build());
    }

    /// A command that is known and does nothing yet, whatever follows it.
    private CommandLine later(String name) {
        LaterCommand command = new LaterCommand(name, surroundings);
        CommandSpec spec = CommandSpec.forAnnotatedObject(command).name(name);
        spec.usageMessage().hidden(true);
        spec.addUnmatchedArgsBinding(UnmatchedArgsBinding.forStringArrayConsumer(CommandLineInterface::ignored));
        return new CommandLine(spec);
    }

    private static <T> T ignored(T words) {
        return words;
    }

    private int usage(ParameterException wrong, String[] words) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            surroundings.err().println("servery: error: found `" + unmatched.getUnmatched().getFirst() + "`; expected "
                    + (unmatched.isUnknownOption() ? "a known option" : "a command or an option"));
            List<String> near = unmatched.getSuggestions();
            if (!near.isEmpty()) {
                surroundings.err().println("   did you mean " + String.join(" or ", near) + "?");
            }
        } else {
            surroundings.err().println("servery: error: " + wrong.getMessage());
        }
        surroundings.err().println(
                "   `" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help` shows what is possible");
        return ExitCode.USAGE.code();
    }

    private int bug(Exception bug, CommandLine line, CommandLine.ParseResult words) {
        surroundings.err().println("servery: error: this is a bug in servery");
        surroundings.err().println("   " + bug);
        Arrays.stream(bug.getStackTrace()).limit(FRAMES_MAX)
                .forEach(frame -> surroundings.err().println("      at " + frame));
        return ExitCode.SOFTWARE.code();
    }
}
