package io.servery.netty.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/// The memory lines of `/proc/self/status` (proc(5)); empty on a host that has no such file.
record ProcessStatus(OptionalLong virtualBytes, OptionalLong residentBytes) {
    private static final Path FILE = Path.of("/proc/self/status");
    private static final long BYTES_PER_KIB = 1024;

    static ProcessStatus read() {
        try {
            // Latin-1, because the name of the process on the first line may hold any byte.
            return parse(Files.readAllLines(FILE, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return new ProcessStatus(OptionalLong.empty(), OptionalLong.empty());
        }
    }

    static ProcessStatus parse(List<String> lines) {
        return new ProcessStatus(bytes(lines, "VmSize:"), bytes(lines, "VmRSS:"));
    }

    private static OptionalLong bytes(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name) && line.endsWith(" kB"))
                .map(line -> line.substring(name.length(), line.length() - " kB".length()).strip())
                .filter(digits -> digits.matches("[0-9]{1,15}"))
                .mapToLong(digits -> Long.parseLong(digits) * BYTES_PER_KIB)
                .findFirst();
    }
}
