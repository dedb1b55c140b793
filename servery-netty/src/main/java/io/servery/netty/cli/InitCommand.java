package io.servery.netty.cli;

import io.servery.core.config.StarterFile;
import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `init`: a first configuration file and the directory that it serves.
///
/// The file appears whole or not at all, and never in place of another.
@Command(name = "init", description = "Write a first servery.toml and make the directory that it serves.")
final class InitCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", defaultValue = "servery.toml", description = "The file to write (servery.toml); it must not exist.")
    private String file = "servery.toml";

    InitCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try {
            write(surroundings.workingDirectory().resolve(file));
            surroundings.out().println("wrote " + file);
            return ExitCode.OK.code();
        } catch (FileAlreadyExistsException _) {
            return failed("found a file already; expected none (it is left as it is)", ExitCode.FAILED);
        } catch (NoSuchFileException _) {
            return failed("found no directory to write into; expected one", ExitCode.FAILED);
        } catch (AccessDeniedException _) {
            return failed("found no permission to write; expected it", ExitCode.PERMISSION);
        } catch (InvalidPathException _) {
            return failed("found no valid path; expected one", ExitCode.FAILED);
        } catch (IOException e) {
            return failed("cannot be written: " + e.getMessage(), ExitCode.FAILED);
        }
    }

    private int failed(String what, ExitCode code) {
        surroundings.err().println(file + ": error: " + what);
        return code.code();
    }

    private static void write(Path target) throws IOException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(target.toString());
        }
        Path root = target.resolveSibling(StarterFile.root());
        Path temporary = target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid());
        try {
            fill(temporary);
            // A link, not a move: it fails where somebody else made the file in the meantime.
            Files.createLink(target, temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
        makeRoot(root, target);
    }

    private static void fill(Path temporary) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(StarterFile.text().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static void makeRoot(Path root, Path target) throws IOException {
        if (Files.isDirectory(root)) {
            return;
        }
        try {
            Files.createDirectory(root);
        } catch (IOException e) {
            Files.delete(target);
            throw new IOException("the directory " + root.getFileName() + " cannot be made", e);
        }
    }
}
