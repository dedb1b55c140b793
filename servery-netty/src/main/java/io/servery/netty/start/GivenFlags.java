package io.servery.netty.start;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JVM flags that this process was started with.
///
/// `java.lang.management` knows them all, and costs a start 35 ms of 450; the words of the process say the same where there are
/// but plain ones before `-jar`, and no variable of the environment adds to them.
final class GivenFlags {
    private static final String COMMAND_LINE = "/proc/self/cmdline";
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final String FILE_OF_FLAGS = "-XX:VMOptionsFile";

    private GivenFlags() {
    }

    /// @param args what `main` was given
    static List<String> of(String[] args) {
        List<String> plain = inEnvironment() ? null : before(args, words());
        return plain != null ? plain : ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    private static boolean inEnvironment() {
        for (String variable : VARIABLES) {
            if (System.getenv(variable) != null) {
                return true;
            }
        }
        return false;
    }

    /// The flags of `java FLAGS -jar JAR ARGS`; nothing where a word is not a flag by itself, or stands for others.
    static @Nullable List<String> before(String[] args, List<String> words) {
        int jar = words.size() - args.length - 2;
        if (jar < 1 || !words.get(jar).equals("-jar")) {
            return null;
        }
        for (int at = 0; at < args.length; at++) {
            if (!words.get(jar + 2 + at).equals(args[at])) {
                return null;
            }
        }
        List<String> flags = new ArrayList<>();
        for (int at = 1; at < jar; at++) {
            String flag = words.get(at);
            if (!flag.startsWith("-X") && !flag.startsWith("-D") || flag.startsWith(FILE_OF_FLAGS)) {
                return null;
            }
            flags.add(flag);
        }
        return flags;
    }

    /// The flags of `java … MARK FLAGS -cp …`: those after a flag that is known, however they came there.
    static List<String> after(String mark) {
        List<String> words = words();
        int begin = words.indexOf(mark) + 1;
        int end = begin;
        while (end < words.size() && !words.get(end).equals("-cp")) {
            end++;
        }
        if (begin > 0 && end < words.size()) {
            return List.copyOf(words.subList(begin, end));
        }
        return ManagementFactory.getRuntimeMXBean().getInputArguments(); // this JVM kept its own
    }

    private static List<String> words() {
        List<String> words = new ArrayList<>();
        try (FileInputStream in = new FileInputStream(COMMAND_LINE)) {
            byte[] bytes = in.readAllBytes();
            Charset charset = argumentCharset();
            int begin = 0;
            for (int at = 0; at < bytes.length; at++) {
                if (bytes[at] == 0) {
                    words.add(new String(bytes, begin, at - begin, charset));
                    begin = at + 1;
                }
            }
        } catch (IOException noProc) {
            words.clear();
        }
        return words;
    }

    /// The charset in which the JVM read its arguments, so that the replacement reads the same ones.
    static Charset argumentCharset() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), Charset.defaultCharset());
    }
}
