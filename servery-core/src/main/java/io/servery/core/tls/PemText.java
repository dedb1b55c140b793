package io.servery.core.tls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// The blocks of a PEM text (RFC 7468).
///
/// What stands between blocks is ignored, as tools write explanations there. A block is read strictly: one label, base64
/// alone, the padding and the unused bits as they must be; lines may be of any length and end in blanks.
final class PemText {
    static final int CHARACTERS_MAX = 1024 * 1024;
    static final int BLOCKS_MAX = 1000;

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final String BLANKS = " \t\r";
    private static final int LABEL_MAX = 64;

    private final List<String> lines;
    private final List<PemBlock> blocks = new ArrayList<>();

    private PemText(String text) {
        lines = Arrays.asList(text.split("\n", -1));
    }

    /// @throws Unusable where the text breaks the form
    static List<PemBlock> read(String text) {
        if (text.length() > CHARACTERS_MAX) {
            throw new Unusable(Unusable.NO_LINE, "more than " + CHARACTERS_MAX + " characters", "PEM text");
        }
        return new PemText(text).blocks();
    }

    private List<PemBlock> blocks() {
        for (int at = 0; at < lines.size(); at++) {
            String line = line(at);
            if (line.startsWith(BEGIN)) {
                if (blocks.size() == BLOCKS_MAX) {
                    throw new Unusable(at + 1, "more than " + BLOCKS_MAX + " blocks", "at most as many");
                }
                at = block(at);
            } else if (line.startsWith(END)) {
                throw new Unusable(at + 1, "the end of a block", "its beginning before it");
            }
        }
        return blocks;
    }

    /// Reads the block that begins at a line; gives the line where it ends.
    private int block(int first) {
        String label = label(first, BEGIN);
        StringBuilder base64 = new StringBuilder();
        for (int at = first + 1; at < lines.size(); at++) {
            String line = line(at);
            if (line.startsWith(END)) {
                if (!label(at, END).equals(label)) {
                    throw new Unusable(at + 1, "the end of another block", "the end of " + label);
                }
                blocks.add(new PemBlock(label, first + 1, decoded(base64.toString(), first)));
                return at;
            }
            if (line.indexOf(':') >= 0) {
                throw header(line, at);
            }
            if (!line.chars().allMatch(PemText::isBase64)) {
                throw new Unusable(at + 1, "a line that is not base64", "base64 up to the end of " + label);
            }
            base64.append(line);
        }
        throw new Unusable(first + 1, "a block without an end", END + label + DASHES);
    }

    private static Unusable header(String line, int at) {
        return line.startsWith("Proc-Type:")
                ? new Unusable(at + 1, "a key in the old encrypted form", "an encrypted key in PKCS #8",
                        "openssl pkcs8 -topk8 -in OLD -out NEW")
                : new Unusable(at + 1, "a header line in a block", "base64 alone");
    }

    private String label(int at, String opening) {
        String line = line(at);
        if (!line.endsWith(DASHES) || line.length() <= opening.length() + DASHES.length()) {
            throw new Unusable(at + 1, "a line that begins like a boundary", opening + "LABEL" + DASHES);
        }
        String label = line.substring(opening.length(), line.length() - DASHES.length());
        if (label.length() > LABEL_MAX || !label.matches("[A-Z0-9.]+( [A-Z0-9.]+)*")) {
            throw new Unusable(at + 1, "a boundary with a label of an unknown form", "words in capitals");
        }
        return label;
    }

    private static byte[] decoded(String base64, int first) {
        try {
            byte[] content = Base64.getDecoder().decode(base64);
            if (content.length > 0 && Base64.getEncoder().encodeToString(content).equals(base64)) {
                return content;
            }
        } catch (IllegalArgumentException _) {
            // Said below: every way in which it is malformed is mended by copying the file again.
        }
        throw new Unusable(first + 1, "a block that is cut or changed", "whole base64");
    }

    private static boolean isBase64(int c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=';
    }

    /// A line without what may follow it, and the first without a byte order mark.
    private String line(int at) {
        String line = lines.get(at);
        int end = line.length();
        while (end > 0 && BLANKS.indexOf(line.charAt(end - 1)) >= 0) {
            end--;
        }
        line = line.substring(0, end);
        return at == 0 && line.startsWith("\uFEFF") ? line.substring(1) : line;
    }

    /// A block as text.
    static String write(String label, byte[] content) {
        return BEGIN + label + DASHES + '\n'
                + Base64.getMimeEncoder(LABEL_MAX, new byte[]{'\n'}).encodeToString(content)
                + '\n' + END + label + DASHES + '\n';
    }
}
