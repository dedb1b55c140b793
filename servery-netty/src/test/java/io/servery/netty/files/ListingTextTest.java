package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.FilePath;
import io.servery.http.semantics.TargetPath;
import io.servery.netty.files.ListingView.Form;
import io.servery.netty.files.ListingView.Sort;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.DirectoryEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is written of names that are anything at all, as a page and as JSON.
class ListingTextTest {
    /// The tags of a page with their attributes, every one quoted: whatever else a `<` begins is a fault.
    private static final Pattern TAG = Pattern.compile(
            "<(?:!DOCTYPE html|/?[a-z0-9]+(?: [a-z-]+(?:[A-Z][a-z]+)?(?:=\"[^\"<>]*\")?)*/?)>");
    private static final Set<String> ELEMENTS = Set.of("html", "head", "meta", "title", "style", "body", "svg",
            "symbol",
            "path", "circle", "use", "header", "nav", "ol", "li", "a", "h1", "p", "form", "input", "button", "main",
            "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "bdi", "time", "small", "strong");
    private static final Pattern LINK = Pattern.compile("<th scope=\"row\"><a href=\"([^\"]*)\">");

    private static final ListedDirectory DIRECTORY = new ListedDirectory("/a b/", true);

    private static String page(ListedDirectory directory, List<DirectoryEntry> entries, ListingView view) {
        return new ListingPage(directory, contents(entries, view), view).html();
    }

    private static ListingContents contents(List<DirectoryEntry> entries, ListingView view) {
        return ListingContents.of(new DirectoryEntries(entries, true), view);
    }

    private static DirectoryEntry entry(String name, boolean directory) {
        return new DirectoryEntry(name, !name.contains("\uFFFD"), directory, directory ? 0 : name.length(),
                1_600_000_000);
    }

    /// Names as a directory may hold them: no slash, no NUL, decoded from octets.
    @Provide
    Arbitrary<Set<String>> names() {
        Arbitrary<String> markup = Arbitraries.of("<script>", "\"><b>", "' onload='x", "&amp;", "&#x3c;", "%2e%2e",
                "..",
                "javascript:x", "?q=1#f", "\\", "\n", "\t", "\u202e", "\uFFFD", " ", "]]>", "-->", "\u0085",
                "\ud83d\ude00");
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(20)
                .map(text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        return Arbitraries.oneOf(any, markup, markup.list().ofMaxSize(4).map(parts -> String.join("", parts)))
                .map(name -> name.replace("/", "").replace("\0", ""))
                .filter(name -> !name.isEmpty() && !name.equals(".") && !name.equals("..")).set().ofMaxSize(10);
    }

    @Property(tries = 300)
    void namesAddNoMarkupAndLinksLeadToThem(@ForAll("names") Set<String> names, @ForAll boolean directories) {
        List<DirectoryEntry> entries = names.stream().map(name -> entry(name, directories)).toList();
        String html = page(DIRECTORY, entries, ListingView.DEFAULT);
        assertOnlyMarkupOfOurs(html);
        Set<String> led = new LinkedHashSet<>();
        for (Matcher link = LINK.matcher(html); link.find();) {
            if (!link.group(1).equals("../")) {
                led.add(named("/a%20b/" + link.group(1)));
            }
        }
        Set<String> reachable = new LinkedHashSet<>();
        names.stream().filter(name -> !name.contains("\uFFFD") && !name.contains("\\")
                && name.chars().noneMatch(Character::isISOControl) && !name.startsWith("..;"))
                .forEach(name -> reachable.add("/a b/" + name + (directories ? "/" : "")));
        assertThat(led).containsExactlyInAnyOrderElementsOf(reachable);
    }

    @Property(tries = 300)
    void pathAndFilterAddNoMarkup(@ForAll("names") Set<String> names) {
        for (String text : names) {
            ListingView view = new ListingView(Form.HTML, Sort.SIZE, true, text, 1);
            String html = page(new ListedDirectory("/" + text + "/x/", true), List.of(entry("file", false)), view);
            assertOnlyMarkupOfOurs(html);
        }
    }

    private static void assertOnlyMarkupOfOurs(String html) {
        Matcher tags = TAG.matcher(html);
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (tags.find()) {
            text.append(html, from, tags.start());
            String name = tags.group().replaceAll("(?s)^</?!?([A-Za-z0-9]+).*", "$1");
            assertThat(name.equals("DOCTYPE") || ELEMENTS.contains(name)).as(tags.group()).isTrue();
            assertThat(tags.group()).doesNotContain("href=\"javascript:", "action=\"javascript:");
            assertThat(tags.group().replaceAll("\"[^\"]*\"", "\"\"")).as("attributes without their values")
                    .doesNotContainPattern("\\s(on[a-z]+|style|src)=|'");
            from = tags.end();
        }
        assertThat(text.append(html.substring(from)).toString().replace(ListingStyle.CSS, ""))
                .doesNotContain("<", ">");
    }

    private static String named(String target) {
        TargetPath.Accepted accepted = (TargetPath.Accepted) TargetPath.resolve(target);
        return ((FilePath.Named) FilePath.of(accepted, true)).path();
    }

    @Property(tries = 300)
    void jsonIsReadBackByAStrictReader(@ForAll("names") Set<String> names) {
        List<DirectoryEntry> entries = names.stream().map(name -> entry(name, name.length() % 2 == 0)).toList();
        ListingContents contents = contents(entries, ListingView.DEFAULT);
        Map<?, ?> read = (Map<?, ?>) StrictJson.parse(new ListingJson(DIRECTORY, contents).json());
        assertThat(read.keySet().stream().map(Object::toString)).containsExactly("path", "page", "pages", "total",
                "complete", "entries");
        assertThat(read.get("path")).isEqualTo("/a b/");
        assertThat(read.get("total")).isEqualTo((long) names.size());
        List<Map<String, Object>> expected = new ArrayList<>();
        for (DirectoryEntry entry : contents.entries()) {
            Map<String, Object> members = new HashMap<>();
            members.put("name", entry.name());
            members.put("href", DIRECTORY.reference(entry));
            members.put("kind", entry.directory() ? "directory" : "file");
            members.put("size", entry.directory() ? null : entry.size());
            members.put("modified", "2020-09-13T12:26:40Z");
            expected.add(members);
        }
        assertThat((Object) read.get("entries")).isEqualTo(expected);
    }

    @Test
    void entryTooDeepForAPathHasNoLink() {
        ListedDirectory deep = new ListedDirectory("/a".repeat(FilePath.DEPTH_MAX) + "/", false);
        assertThat(deep.reference(entry("b", false))).isNull();
        assertThat(new ListedDirectory("/a/", false).reference(entry(".b", false))).isNull();
    }

    // For those who do not see the page

    @Test
    void tableSaysHowItIsSortedAndItsLinksTurnThat() {
        List<DirectoryEntry> entries = List.of(entry("a", false));
        String page = page(DIRECTORY, entries, new ListingView(Form.HTML, Sort.SIZE, true, "x&y", 1));
        assertThat(page).contains(
                "<th scope=\"col\" aria-sort=\"descending\"><a href=\"./?q=x%26y&amp;sort=size\">Size",
                "<th scope=\"col\"><a href=\"./?q=x%26y\">Name",
                "<th scope=\"col\"><a href=\"./?q=x%26y&amp;sort=modified&amp;order=desc\">Modified",
                "<caption>Contents of <bdi>/a b/</bdi>", "<input type=\"hidden\" name=\"sort\" value=\"size\">",
                "<input type=\"hidden\" name=\"order\" value=\"desc\">", "value=\"x&amp;y\"",
                "<a href=\"./?sort=size&amp;order=desc\">Clear</a>");
        assertThat(page.split(" aria-sort=", -1)).hasSize(2);
    }

    @Test
    void pagesAreTurnedByLinks() {
        List<DirectoryEntry> entries = IntStream.range(0, 2_000).mapToObj(i -> entry("f" + i, false)).toList();
        String page = page(DIRECTORY, entries, ListingView.DEFAULT.onPage(5));
        assertThat(page).contains("<a rel=\"prev\" href=\"./?page=4\">", "<a rel=\"next\" href=\"./?page=6\">",
                "aria-current=\"page\" aria-label=\"Page 5 of 10\"", "2,000 files", "page 5 of 10");
        assertThat(page(DIRECTORY, entries, ListingView.DEFAULT)).doesNotContain("rel=\"prev\"")
                .contains("rel=\"next\"");
        assertThat(page(DIRECTORY, entries, ListingView.DEFAULT.onPage(99))).doesNotContain("rel=\"next\"");
        assertThat(page(DIRECTORY, entries.subList(0, 200), ListingView.DEFAULT))
                .doesNotContain("aria-label=\"Pages\"");
    }

    @ParameterizedTest
    @CsvSource({"0,0_B", "1023,1023_B", "1024,1.0_KiB", "102348,99.9_KiB", "102400,100_KiB", "1048575,1.0_MiB",
            "1048576,1.0_MiB", "1073741823,1.0_GiB", "9223372036854775807,8.0_EiB"})
    void sizesHaveThreeDigits(long bytes, String text) {
        assertThat(ListingPage.size(bytes)).isEqualTo(text.replace('_', '\u00a0'));
    }
}
