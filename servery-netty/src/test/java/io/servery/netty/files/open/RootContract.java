package io.servery.netty.files.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.servery.core.config.StaticFiles.Symlinks;
import io.servery.http.exchange.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What opening beneath a root promises, whether the kernel contains lookups or our walk does.
/// Long because both openers are held to the same list.
abstract class RootContract {
    static final String SECRET = "outside";

    @TempDir
    Path temporary;

    Path directory;
    private final List<Root> roots = new ArrayList<>();

    abstract FaultyCalls calls();

    @BeforeEach
    void makeTree() throws IOException {
        temporary = temporary.toRealPath();
        directory = Files.createDirectories(temporary.resolve("root"));
        Files.createDirectories(directory.resolve("a/b"));
        Files.writeString(directory.resolve("page.html"), "page");
        Files.writeString(directory.resolve("a/b/deep.txt"), "deep");
        Files.createDirectories(temporary.resolve("elsewhere"));
        Files.writeString(temporary.resolve("secret.txt"), SECRET);
        Files.writeString(temporary.resolve("elsewhere/page.html"), SECRET);
    }

    @AfterEach
    void everythingIsClosed() throws IOException {
        roots.forEach(Root::close);
        assertThat(Descriptors.beneath(temporary)).isEmpty();
    }

    Root root(Symlinks policy) throws IOException {
        return root(policy, calls());
    }

    Root root(Symlinks policy, FaultyCalls calls) throws IOException {
        Root root = Root.open(directory, policy, calls);
        roots.add(root);
        return root;
    }

    // What is there

    @Test
    void fileIsOpenedWithItsBytesAndItsSize() throws IOException {
        for (Symlinks policy : Symlinks.values()) {
            assertThat(content(root(policy).open("a/b/deep.txt"))).isEqualTo("deep");
        }
    }

    @Test
    void identityIsThatOfTheFile() throws IOException {
        Path page = directory.resolve("page.html");
        Files.setLastModifiedTime(page, FileTime.from(Instant.ofEpochSecond(1_700_000_000L, 123_456_789)));
        OpenedFile file = file(root(Symlinks.INSIDE).open("page.html"));
        try {
            assertThat(file.identity().size()).isEqualTo(4);
            assertThat(file.identity().inode()).isEqualTo(Files.getAttribute(page, "unix:ino"));
            assertThat(file.identity().modified()).isEqualTo(new FileIdentity.Time(1_700_000_000L, 123_456_789));
        } finally {
            file.close();
        }
    }

    @Test
    void emptyFileIsAFile() throws IOException {
        Files.createFile(directory.resolve("empty"));
        assertThat(content(root(Symlinks.INSIDE).open("empty"))).isEmpty();
    }

    @Test
    void directoryIsADirectoryAndSoIsTheRoot() throws IOException {
        for (Symlinks policy : Symlinks.values()) {
            directory(root(policy).open("a")).close();
            directory(root(policy).open("")).close();
        }
    }

    @Test
    void namesInUtf8AreFound() throws IOException {
        Path odd = directory.resolve("späß 文.txt");
        assumeThat(odd.toString()).contains("文");
        Files.writeString(odd, "odd");
        assertThat(content(root(Symlinks.INSIDE).open("späß 文.txt"))).isEqualTo("odd");
    }

    // What is not

    @Test
    void missingFileNamedBeneathAFileAndTooLongNamesAreNotFound() throws IOException {
        Root root = root(Symlinks.INSIDE);
        for (String path : List.of("missing", "missing/more", "page.html/more", "x".repeat(256), "y/".repeat(2500)
                + "z")) {
            assertThat(refusal(root.open(path))).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    @Test
    void pathAsDeepAsTargetsGoIsOpened() throws IOException {
        String deep = "d/".repeat(63);
        Files.createDirectories(directory.resolve(deep));
        Files.writeString(directory.resolve(deep + "file"), "deepest");
        for (Symlinks policy : Symlinks.values()) {
            assertThat(content(root(policy).open(deep + "file"))).isEqualTo("deepest");
        }
    }

    @Test
    void pathWithNulIsABug() throws IOException {
        Root root = root(Symlinks.INSIDE);
        assertThatThrownBy(() -> root.open("page.html\0.txt")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fifoIsNotFoundAndNeverWaitedFor() throws Exception {
        fifo(directory.resolve("fifo"));
        for (Symlinks policy : Symlinks.values()) {
            Root root = root(policy);
            Opened opened = CompletableFuture.supplyAsync(() -> root.open("fifo")).get(10, TimeUnit.SECONDS);
            assertThat(refusal(opened)).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    @Test
    void deviceIsNotFound() throws IOException {
        Files.createSymbolicLink(directory.resolve("null"), Path.of("/dev/null"));
        assertThat(refusal(root(Symlinks.FOLLOW).open("null"))).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal(root(Symlinks.INSIDE).open("null"))).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void unixSocketIsNotFound() throws IOException {
        Path socket = directory.resolve("s");
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            for (Symlinks policy : Symlinks.values()) {
                assertThat(refusal(root(policy).open("s"))).isEqualTo(Refusal.NOT_FOUND);
            }
        }
    }

    // Links

    @Test
    void relativeLinkInsideIsFollowedUnlessDenied() throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("a/b/../b/deep.txt"));
        Files.createSymbolicLink(directory.resolve("a/up"), Path.of(".."));
        for (Symlinks policy : List.of(Symlinks.INSIDE, Symlinks.FOLLOW)) {
            assertThat(content(root(policy).open("link"))).isEqualTo("deep");
            assertThat(content(root(policy).open("a/up/page.html"))).isEqualTo("page");
        }
        assertThat(refusal(root(Symlinks.DENY).open("link"))).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal(root(Symlinks.DENY).open("a/up/page.html"))).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void absoluteLinkThatPointsInsideIsFollowedUnlessDenied() throws IOException {
        Files.createSymbolicLink(directory.resolve("file"), directory.resolve("a/b/deep.txt"));
        Files.createSymbolicLink(directory.resolve("dir"), directory.resolve("a"));
        Files.createSymbolicLink(directory.resolve("home"), directory);
        for (Symlinks policy : List.of(Symlinks.INSIDE, Symlinks.FOLLOW)) {
            assertThat(content(root(policy).open("file"))).isEqualTo("deep");
            assertThat(content(root(policy).open("dir/b/deep.txt"))).isEqualTo("deep");
            assertThat(content(root(policy).open("home/page.html"))).isEqualTo("page");
            directory(root(policy).open("home")).close();
        }
        for (String path : List.of("file", "dir/b/deep.txt", "home/page.html", "home")) {
            assertThat(refusal(root(Symlinks.DENY).open(path))).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    @Test
    void absoluteLinkThroughAnotherNameOfTheRootIsFollowed() throws IOException {
        Files.createSymbolicLink(temporary.resolve("current"), Path.of("root"));
        Files.createSymbolicLink(directory.resolve("link"), temporary.resolve("current/page.html"));
        assertThat(content(root(Symlinks.INSIDE).open("link"))).isEqualTo("page");
    }

    @Test
    void linkThatLeavesIsFollowedByFollowAlone() throws IOException {
        Files.createSymbolicLink(directory.resolve("absolute"), temporary.resolve("secret.txt"));
        Files.createSymbolicLink(directory.resolve("relative"), Path.of("../secret.txt"));
        Files.createSymbolicLink(directory.resolve("dir"), temporary.resolve("elsewhere"));
        Files.createSymbolicLink(directory.resolve("chain"), Path.of("dir/page.html"));
        Files.createSymbolicLink(directory.resolve("up"), Path.of("a/../.."));
        for (String path : List.of("absolute", "relative", "dir/page.html", "chain", "up/secret.txt")) {
            assertThat(content(root(Symlinks.FOLLOW).open(path))).isEqualTo(SECRET);
            assertThat(refusal(root(Symlinks.INSIDE).open(path))).isEqualTo(Refusal.NOT_FOUND);
            assertThat(refusal(root(Symlinks.DENY).open(path))).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    @Test
    void siblingWhoseNameBeginsLikeTheRootIsOutside() throws IOException {
        Files.createDirectories(temporary.resolve("root-two"));
        Files.writeString(temporary.resolve("root-two/page.html"), SECRET);
        Files.createSymbolicLink(directory.resolve("two"), temporary.resolve("root-two/page.html"));
        assertThat(refusal(root(Symlinks.INSIDE).open("two"))).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void linksThatGoRoundAndLinksToNothingAreNotFound() throws IOException {
        Files.createSymbolicLink(directory.resolve("one"), Path.of("two"));
        Files.createSymbolicLink(directory.resolve("two"), Path.of("one"));
        Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("missing"));
        for (Symlinks policy : Symlinks.values()) {
            assertThat(refusal(root(policy).open("one"))).isEqualTo(Refusal.NOT_FOUND);
            assertThat(refusal(root(policy).open("nowhere"))).isEqualTo(Refusal.NOT_FOUND);
        }
    }

    @Test
    void magicLinksOfProcOpenNothingOutside() throws IOException {
        Files.createSymbolicLink(directory.resolve("proc"), Path.of("/proc/self/root"));
        String secret = "proc" + temporary.resolve("secret.txt");
        assertThat(refusal(root(Symlinks.INSIDE).open(secret))).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal(root(Symlinks.DENY).open(secret))).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void parentAsAPathNeverLeaves() throws IOException {
        // No target brings this here; it is the last line.
        for (Symlinks policy : Symlinks.values()) {
            for (String path : List.of("..", "../secret.txt", "a/../../secret.txt", "a/b/..")) {
                assertThat(refusal(root(policy).open(path))).isEqualTo(Refusal.NOT_FOUND);
            }
        }
    }

    /// A name swaps between a directory inside and a link that leads outside while it is opened 20,000 times, or for as long as
    /// it was never seen inside, which on a busy machine is the swapping thread's lack of a processor.
    @Test
    void lookupThatRacesWithASwappedLinkNeverReachesOutside() throws Exception {
        Path swapped = directory.resolve("swapped");
        Path aside = directory.resolve("aside");
        Files.createDirectories(aside);
        Files.writeString(aside.resolve("page.html"), "inside");
        Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("elsewhere"));
        AtomicBoolean done = new AtomicBoolean();
        Thread swapper = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                try {
                    Files.move(aside, swapped);
                    Files.move(swapped, aside);
                    Files.copy(temporary.resolve("link"), swapped, LinkOption.NOFOLLOW_LINKS);
                    Files.delete(swapped);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        int inside = 0;
        try {
            for (Symlinks policy : List.of(Symlinks.INSIDE, Symlinks.DENY)) {
                Root root = root(policy);
                for (int i = 0; i < 10_000 || inside == 0 && swapper.isAlive(); i++) {
                    if (root.open("swapped/page.html") instanceof Opened.File(OpenedFile file)) {
                        inside++;
                        assertThat(read(file)).isEqualTo("inside");
                    }
                }
            }
        } finally {
            done.set(true);
            swapper.join();
        }
        assertThat(swapper.getState()).isEqualTo(Thread.State.TERMINATED);
        assertThat(inside).isPositive();
    }

    // Faults of the host

    @Test
    void errorsOfTheSystemAreToldAsTheirRefusals() throws IOException {
        String open = calls().openat2(-1, new byte[]{'.'}, 0, 0) == -Errno.ENOSYS ? "openat" : "openat2";
        record Row(int errno, Refusal refusal) {
        }
        for (Row row : List.of(new Row(Errno.EMFILE, Refusal.DESCRIPTORS_EXHAUSTED),
                new Row(Errno.ENFILE, Refusal.DESCRIPTORS_EXHAUSTED), new Row(Errno.EACCES, Refusal.FORBIDDEN),
                new Row(Errno.EPERM, Refusal.FORBIDDEN), new Row(Errno.EIO, Refusal.STORAGE_FAILED),
                new Row(Errno.EXDEV, Refusal.NOT_FOUND), new Row(Errno.ELOOP, Refusal.NOT_FOUND))) {
            FaultyCalls calls = calls();
            Root root = root(Symlinks.DENY, calls);
            calls.fail(open, row.errno());
            assertThat(refusal(root.open("page.html"))).as("%s", row).isEqualTo(row.refusal());
        }
    }

    @Test
    void failureToReadTheIdentityClosesWhatWasOpened() throws IOException {
        FaultyCalls calls = calls();
        Root root = root(Symlinks.INSIDE, calls);
        calls.fail("stat", Errno.EIO);
        assertThat(refusal(root.open("page.html"))).isEqualTo(Refusal.STORAGE_FAILED);
        assertThat(Descriptors.beneath(directory)).containsExactly(directory.toString());
    }

    @Test
    void withoutProcLinksThatLeaveAreNotFoundAndTheRestWorks() throws IOException {
        Files.createSymbolicLink(directory.resolve("file"), directory.resolve("a/b/deep.txt"));
        FaultyCalls calls = calls();
        Root root = root(Symlinks.INSIDE, calls);
        calls.fail("readlink", Errno.ENOENT);
        assertThat(refusal(root.open("file"))).isEqualTo(Refusal.NOT_FOUND);
        assertThat(content(root.open("page.html"))).isEqualTo("page");
    }

    @Test
    void unreadableFileIsForbiddenAndUnreadableDirectoryStillADirectory() throws IOException {
        assumeThat(System.getProperty("user.name")).as("root reads everything").isNotEqualTo("root");
        Files.setPosixFilePermissions(directory.resolve("page.html"), PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(directory.resolve("a"), PosixFilePermissions.fromString("--x--x--x"));
        Root root = root(Symlinks.INSIDE);
        assertThat(refusal(root.open("page.html"))).isEqualTo(Refusal.FORBIDDEN);
        directory(root.open("a")).close();
        assertThat(content(root.open("a/b/deep.txt"))).isEqualTo("deep");
    }

    // The opened file

    @Test
    void fileIsUnchangedWhenReplacedOrDeletedAndChangedWhenWrittenOrTruncated() throws IOException {
        Path page = directory.resolve("page.html");
        Root root = root(Symlinks.INSIDE);
        OpenedFile file = file(root.open("page.html"));
        assertThat(file.unchanged()).isTrue();

        Files.writeString(directory.resolve("new"), "newer");
        Files.move(directory.resolve("new"), page, StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(file.unchanged()).as("another file has its name").isTrue();
        assertThat(read(file)).isEqualTo("page");

        OpenedFile written = file(root.open("page.html"));
        Files.setLastModifiedTime(page, FileTime.from(Instant.now().plus(Duration.ofSeconds(5))));
        assertThat(written.unchanged()).as("another time").isFalse();
        written.close();
        assertThat(written.unchanged()).as("closed").isFalse();

        OpenedFile truncated = file(root.open("page.html"));
        Files.writeString(page, "n", StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(truncated.unchanged()).isFalse();
        truncated.close();
    }

    @Test
    void secondCloseIsABug() throws IOException {
        OpenedFile file = file(root(Symlinks.INSIDE).open("page.html"));
        file.close();
        assertThatThrownBy(file::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void thousandsOfOpensLeaveNoDescriptorBehind() throws IOException {
        Files.createSymbolicLink(directory.resolve("absolute"), directory.resolve("a/b/deep.txt"));
        Files.createSymbolicLink(directory.resolve("out"), temporary.resolve("secret.txt"));
        Root root = root(Symlinks.INSIDE);
        for (int i = 0; i < 1_000; i++) {
            for (String path : List.of("page.html", "missing", "a", "absolute", "out", "a/b/deep.txt/x")) {
                switch (root.open(path)) {
                    case Opened.File(OpenedFile file) -> file.close();
                    case Opened.Directory(OpenedDirectory opened) -> opened.close();
                    case Opened.Refused _ -> {
                        // Holds nothing.
                    }
                }
            }
        }
        assertThat(Descriptors.beneath(temporary)).containsExactly(directory.toString());
    }

    @Test
    void rootStaysTheDirectoryThatWasOpened() throws IOException {
        Root root = root(Symlinks.INSIDE);
        Files.move(directory, temporary.resolve("moved"));
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("page.html"), "other");
        assertThat(content(root.open("page.html"))).isEqualTo("page");
    }

    @Test
    void rootThatIsMissingOrAFileCannotBeOpened() {
        assertThatThrownBy(() -> Root.open(directory.resolve("missing"), Symlinks.INSIDE, calls()))
                .isInstanceOf(IOException.class).hasMessageContaining("missing");
        assertThatThrownBy(() -> Root.open(directory.resolve("page.html"), Symlinks.INSIDE, calls()))
                .isInstanceOf(IOException.class);
    }

    // Directories

    @Test
    void directoryIsReadWithWhatWouldBeServed() throws IOException {
        Files.createSymbolicLink(directory.resolve("absolute"), directory.resolve("a/b/deep.txt"));
        Files.createSymbolicLink(directory.resolve("out"), temporary.resolve("secret.txt"));
        Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("missing"));
        fifo(directory.resolve("fifo"));
        OpenedDirectory opened = directory(root(Symlinks.INSIDE).open(""));
        assertThat(entries(opened, 100).entries()).extracting(DirectoryEntry::name, DirectoryEntry::directory,
                DirectoryEntry::size).containsExactlyInAnyOrder(row("page.html", false, 4), row("a", true, 0),
                        row("absolute", false, 4));
        assertThat(names(Symlinks.DENY)).containsExactlyInAnyOrder("page.html", "a");
        assertThat(names(Symlinks.FOLLOW)).containsExactlyInAnyOrder("page.html", "a", "absolute", "out");
    }

    @Test
    void linksInASubdirectoryAreJudgedByTheirWholePath() throws IOException {
        Files.createSymbolicLink(directory.resolve("a/b/near"), Path.of("../../page.html"));
        Files.createSymbolicLink(directory.resolve("a/b/far"), Path.of("../../../secret.txt"));
        OpenedDirectory opened = directory(root(Symlinks.INSIDE).open("a/b"));
        assertThat(entries(opened, 100).entries()).extracting(DirectoryEntry::name)
                .containsExactlyInAnyOrder("deep.txt", "near");
    }

    @Test
    void directoryIsReadUpToTheLimitAndSaysSo() throws IOException {
        for (int i = 0; i < 2_000; i++) {
            Files.createFile(directory.resolve("a/" + "n".repeat(100) + i));
        }
        DirectoryEntries cut = entries(directory(root(Symlinks.INSIDE).open("a")), 1_500);
        assertThat(cut.entries()).hasSize(1_500).doesNotHaveDuplicates();
        assertThat(cut.complete()).isFalse();
        DirectoryEntries whole = entries(directory(root(Symlinks.INSIDE).open("a")), 2_001);
        assertThat(whole.entries()).hasSize(2_001).doesNotHaveDuplicates();
        assertThat(whole.complete()).isTrue();
    }

    @Test
    void nameThatIsNoUtf8IsSaidToBeSo() throws Exception {
        run("sh", "-c", "printf x > \"$1/$(printf 'bad\\377')\"", "sh", directory.resolve("a").toString());
        DirectoryEntries entries = entries(directory(root(Symlinks.INSIDE).open("a")), 100);
        assertThat(entries.entries()).extracting(DirectoryEntry::name, DirectoryEntry::utf8).contains(
                tuple("bad\uFFFD", false));
    }

    @Test
    void errorWhileReadingADirectoryIsARefusal() throws IOException {
        FaultyCalls calls = calls();
        OpenedDirectory opened = directory(root(Symlinks.INSIDE, calls).open("a"));
        calls.fail("getdents", Errno.EIO);
        try {
            assertThat(opened.read(name -> true, upTo(10))).isEqualTo(new OpenedDirectory.Read.Refused(
                    Refusal.STORAGE_FAILED, Errno.EIO));
        } finally {
            opened.close();
        }
    }

    // Tools

    private List<String> names(Symlinks policy) throws IOException {
        return entries(directory(root(policy).open("")), 100).entries().stream().map(DirectoryEntry::name).toList();
    }

    @Test
    void entriesAreBoundedByWhatTheyTakeAndTheRestIsLeftOut() throws IOException {
        Path large = Files.createDirectory(directory.resolve("large"));
        for (int i = 0; i < 50; i++) {
            Files.createFile(large.resolve("n".repeat(100) + i));
        }
        OpenedDirectory opened = directory(root(Symlinks.INSIDE).open("large"));
        OpenedDirectory.Bounds bounds = new OpenedDirectory.Bounds(100, 20 * (128 + 2 * 102), 100, () -> false);
        DirectoryEntries read = ((OpenedDirectory.Read.Done) opened.read(_ -> true, bounds)).entries();
        opened.close();
        assertThat(read.entries()).hasSize(20);
        assertThat(read.complete()).isFalse();
    }

    private static Tuple row(String name, boolean directory, long size) {
        return tuple(name, directory, size);
    }

    private static OpenedDirectory.Bounds upTo(int entriesMax) {
        return new OpenedDirectory.Bounds(entriesMax, Long.MAX_VALUE, 1_000_000, () -> false);
    }

    static DirectoryEntries entries(OpenedDirectory opened, int max) {
        try {
            return ((OpenedDirectory.Read.Done) opened.read(name -> true, upTo(max))).entries();
        } finally {
            opened.close();
        }
    }

    static void fifo(Path path) throws IOException {
        run("mkfifo", path.toString());
    }

    static void run(String... command) throws IOException {
        try {
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    static OpenedFile file(Opened opened) {
        return ((Opened.File) opened).file();
    }

    static OpenedDirectory directory(Opened opened) {
        return ((Opened.Directory) opened).directory();
    }

    static Refusal refusal(Opened opened) {
        return ((Opened.Refused) opened).refusal();
    }

    static String content(Opened opened) throws IOException {
        return read(file(opened));
    }

    static String read(OpenedFile file) throws IOException {
        try {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.identity().size() + 1);
            while (file.channel().read(bytes, bytes.position()) > 0) {
                // Goes on to the end.
            }
            assertThat(bytes.position()).isEqualTo((int) file.identity().size());
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } finally {
            file.close();
        }
    }
}
