package io.servery.interop.fleet;

/// What a command said, and how it ended.
///
/// @param code its exit code
/// @param output standard output
/// @param errors standard error
public record Said(int code, String output, String errors) {
    public String all() {
        return output + errors;
    }

    @Override
    public String toString() {
        return "exit " + code + "\n--- standard output\n" + output + "\n--- standard error\n" + errors;
    }
}
