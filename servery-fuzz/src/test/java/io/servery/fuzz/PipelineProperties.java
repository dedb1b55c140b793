package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.servery.fuzz.Wire.Seen;
import io.servery.fuzz.Wire.Transcript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Sound requests, written by this class and read back through a connection, whatever the framing and the segments.
class PipelineProperties {
    private static final String TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~09azAZ";

    /// One request to be written.
    ///
    /// @param chunks the content in pieces, sent as chunks; or as one content of known length
    record Request(String method, String path, List<String> values, List<String> chunks, boolean chunked,
            boolean expects) {
        private String content() {
            return String.join("", chunks);
        }

        private String text() {
            StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: h\r\n");
            fields().subList(1, fields().size()).forEach(field -> text.append(field).append(" \t\r\n"));
            text.append("\r\n");
            if (!chunked) {
                return text + content();
            }
            for (String chunk : chunks) {
                if (!chunk.isEmpty()) {
                    text.append(Integer.toHexString(chunk.length())).append(";x=\"\\\"\"\r\n").append(chunk)
                            .append("\r\n");
                }
            }
            return text + "00\r\nTrailer-Field: x\r\n\r\n";
        }

        private List<String> fields() {
            List<String> fields = new ArrayList<>(List.of("Host: h"));
            for (int i = 0; i < values.size(); i++) {
                fields.add("X-" + i + ": " + values.get(i));
            }
            fields.add(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + content().length());
            if (expects) {
                fields.add("Expect: 100-continue");
            }
            return fields;
        }

        private Seen seen() {
            return new Seen(method, path, "HTTP/1.1", fields(), path, content());
        }
    }

    @Property(tries = 300)
    void whatWasWrittenIsWhatIsRead(@ForAll("requests") List<Request> requests, @ForAll Random random) {
        StringBuilder text = new StringBuilder();
        requests.forEach(request -> text.append(request.text()));
        byte[] bytes = text.toString().getBytes(ISO_8859_1);
        int[] cuts = random.ints(random.nextInt(20), 0, bytes.length + 1).sorted().toArray();
        Transcript found = Wire.run(bytes, cuts, false);
        Invariant.same(requests.stream().map(Request::seen).toList(), found.requests(),
                () -> "requests with cuts at " + Arrays.toString(cuts));
        Invariant.same(false, found.ended(), () -> "end of the connection");
        Invariant.same(ReferenceHttp1.read(text.toString(), false).requests(), found.requests(),
                () -> "the reference reads otherwise");
    }

    @Property(tries = 300)
    void aRequestCutAnywhereIsNeverMadeOfWhatFollowsIt(@ForAll("requests") List<Request> requests,
            @ForAll Random random) {
        String text = requests.getFirst().text();
        byte[] bytes = text.substring(0, random.nextInt(text.length())).getBytes(ISO_8859_1);
        Invariant.same(List.of(), Wire.run(bytes, new int[0], false).requests(), () -> "requests of a part of one");
        Transcript ended = Wire.run(bytes, new int[0], true);
        Invariant.same(bytes.length == 0 ? 0 : 400, ended.refusal(), () -> "refusal of a part of a request");
    }

    @Provide
    static Arbitrary<List<Request>> requests() {
        Arbitrary<String> methods = Arbitraries.of(TOKEN_CHARACTERS.split("")).list().ofMinSize(1).ofMaxSize(32)
                .map(letters -> String.join("", letters)).filter(method -> !method.equals("CONNECT"));
        Arbitrary<String> paths = Arbitraries.strings().withCharRange('a', 'z').withChars("/-_~!$&'()*+,;=:@")
                .ofMaxLength(60).map(path -> "/" + path);
        Arbitrary<String> values = Arbitraries.strings().withCharRange('!', '~').withCharRange('\u0080', '\u00ff')
                .ofMaxLength(40);
        Arbitrary<String> chunks = Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(300);
        return Combinators.combine(methods, paths, values.list().ofMaxSize(10), chunks.list().ofMaxSize(5),
                Arbitraries.of(true, false), Arbitraries.of(true, false)).as(Request::new).list().ofMinSize(1)
                .ofMaxSize(6);
    }
}
