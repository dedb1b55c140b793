package io.servery.netty.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which cache the replaced JVM is given; what becomes of it is `AotCacheUseTest` of servery-interop.
class AotCacheTest {
    @TempDir
    Path directory;

    @Test
    void cacheBesideTheJarIsNamedAbsolutely() throws IOException {
        Path cache = cacheOf(jar());
        assertThat(AotCache.flags(directory.resolve("servery-netty.jar").toString(), List.of()))
                .contains("-XX:AOTCache=" + cache.toAbsolutePath());
    }

    @Test
    void cacheOfAnotherTimeThanTheJarIsNotGivenAndWillBeToldOf() throws IOException {
        Path cache = cacheOf(jar());
        Files.setLastModifiedTime(cache, FileTime.from(Instant.parse("2026-02-03T04:05:06Z")));
        assertThat(AotCache.flags(directory.resolve("servery-netty.jar").toString(), List.of()))
                .containsExactly("-Dio.servery.aot=" + cache.toAbsolutePath());
    }

    private Path jar() throws IOException {
        return Files.createFile(directory.resolve("servery-netty.jar"));
    }

    private Path cacheOf(Path jar) throws IOException {
        Path cache = Files.createFile(directory.resolve("servery-netty.aot"));
        return Files.setLastModifiedTime(cache, Files.getLastModifiedTime(jar));
    }

    @Test
    void withoutOneNothingIsGiven() {
        assertThat(AotCache.flags(directory.resolve("servery-netty.jar").toString(), List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:AOTCache=other.aot", "-XX:AOTCacheOutput=new.aot", "-XX:AOTMode=off", "-Xshare:off",
            "-XX:SharedArchiveFile=a.jsa", "-XX:+AutoCreateSharedArchive", "-XX:ArchiveClassesAtExit=a.jsa"})
    void userWhoChoosesAnArchiveChoosesAlone(String flag) throws IOException {
        Files.createFile(directory.resolve("servery-netty.aot"));
        assertThat(AotCache.flags(directory.resolve("servery-netty.jar").toString(), List.of(flag))).isEmpty();
    }

    /// A worker that had it would write over the cache of its parent.
    @Test
    void flagOfTheProcessThatWritesOneIsTold() {
        assertThat(AotCache.isOutput("-XX:AOTCacheOutput=new.aot")).isTrue();
        assertThat(AotCache.isOutput("-XX:AOTCache=old.aot")).isFalse();
    }

    @Test
    void nameIsThatOfTheJar() {
        assertThat(AotCache.beside(directory.resolve("renamed.jar").toFile()))
                .isEqualTo(directory.resolve("renamed.aot").toFile());
        assertThat(AotCache.beside(directory.resolve("classes").toFile()))
                .isEqualTo(directory.resolve("classes.aot").toFile());
    }
}
