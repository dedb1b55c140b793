package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is in the runnable jar.
class JarTest {
    private static final Path JAR = SourceTree.file("servery-netty/target/servery-netty.jar");
    private static final int JAVA_11 = 55;
    private static final int JAVA_25 = 69;

    private JarFile jar;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Files.exists(JAR), "the jar is not built: this test runs from the package phase on (mvn verify)");
        jar = new JarFile(JAR.toFile());
    }

    @AfterEach
    void close() throws IOException {
        if (jar != null) {
            jar.close();
        }
    }

    @Test
    void manifestNamesTheLauncherAndGrantsWhatNettyNeeds() throws IOException {
        Attributes main = jar.getManifest().getMainAttributes();
        assertThat(main.getValue("Main-Class")).isEqualTo("io.servery.launcher.Main");
        assertThat(main.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
        // It would cost every start 20 ms; the replaced JVM has the flag.
        assertThat(main.getValue("Add-Opens")).isNull();
        assertThat(main.getValue("Multi-Release")).isEqualTo("true");
        assertThat(main.getValue("Implementation-Version")).isNotBlank();
    }

    @Test
    void nativeFilesAreThoseOfLinuxOnBothProcessors() {
        assertThat(names()).filteredOn(name -> name.matches(".*\\.(so|jnilib|dylib|dll)")).containsExactlyInAnyOrder(
                "META-INF/native/libnetty_transport_native_epoll_x86_64.so",
                "META-INF/native/libnetty_transport_native_epoll_aarch_64.so",
                "META-INF/native/libnetty_tcnative_linux_x86_64.so",
                "META-INF/native/libnetty_tcnative_linux_aarch_64.so",
                "lib/linux-x86_64/libbrotli.so", "lib/linux-aarch64/libbrotli.so",
                "linux/amd64/libzstd-jni-1.5.7-28.so", "linux/aarch64/libzstd-jni-1.5.7-28.so");
    }

    @Test
    void classesAreThoseOfTheListedLibraries() {
        Set<String> roots = names().stream().filter(name -> name.endsWith(".class"))
                .map(name -> name.replaceFirst("^META-INF/versions/\\d+/", ""))
                .map(name -> name.replaceFirst("^(picocli|[^/]+/[^/]+)/.*", "$1")).collect(Collectors.toSet());
        assertThat(roots).containsExactlyInAnyOrder("io/servery", "io/netty", "io/prometheus", "com/electronwill",
                "com/aayushatharva", "com/github",
                "picocli", "org/shredzone", "org/jose4j", "org/slf4j", "org/jspecify");
    }

    @Test
    void launcherIsForJava11AndTheServerForJava25() throws IOException {
        assertThat(classFileVersion("io/servery/launcher/Main.class")).isEqualTo(JAVA_11);
        assertThat(classFileVersion("io/servery/launcher/ChildJvm.class")).isEqualTo(JAVA_11);
        assertThat(classFileVersion("io/servery/netty/Main.class")).isEqualTo(JAVA_25);
    }

    @Test
    void licencesTravelWithIt() throws IOException {
        assertThat(text("META-INF/LICENSE")).isEqualTo(SourceTree.text("LICENSE"));
        assertThat(text("META-INF/NOTICE")).isEqualTo(SourceTree.text("NOTICE"));
        assertThat(names()).contains("META-INF/license/LICENSE.boringssl.txt",
                "META-INF/license/LICENSE.tomcat-native.txt");
    }

    /// Those of libraries keep their own; `build/check-reproducible` compares whole jars.
    @Test
    void classesOfOursCarryOneFixedTime() {
        assertThat(jar.stream().filter(entry -> entry.getName().startsWith("io/servery/")).map(JarEntry::getTimeLocal)
                .collect(Collectors.toSet())).containsExactly(LocalDateTime.of(2026, 1, 1, 0, 0));
    }

    private List<String> names() {
        return jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();
    }

    private int classFileVersion(String name) throws IOException {
        try (DataInputStream data = new DataInputStream(jar.getInputStream(jar.getJarEntry(name)))) {
            assertThat(data.readInt()).isEqualTo(0xCAFEBABE);
            data.readUnsignedShort();
            return data.readUnsignedShort();
        }
    }

    private String text(String name) throws IOException {
        try (InputStream input = jar.getInputStream(jar.getJarEntry(name))) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
