package io.servery.interop.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which module may depend on which, and that every library has its reason written down (docs/adr/0004).
class DependencyTest {
    @Test
    void modulesDependOnEachOtherInOneDirection() throws Exception {
        Map<String, Set<String>> arrows = new LinkedHashMap<>();
        for (BuildFile module : BuildFile.ofAllModules()) {
            arrows.put(module.module(),
                    names(module.dependencies().stream().filter(BuildFile.Dependency::isOfTheProject)));
        }
        assertThat(arrows).containsExactly(entry("servery-core", Set.of()),
                entry("servery-http", Set.of("servery-core")), entry("servery-supervisor", Set.of("servery-core")),
                entry("servery-acme", Set.of("servery-core")),
                entry("servery-admin", Set.of("servery-core", "servery-http")),
                entry("servery-netty",
                        Set.of("servery-acme", "servery-admin", "servery-core", "servery-http", "servery-supervisor")),
                entry("servery-fuzz", Set.of("servery-netty")), entry("servery-bench", Set.of("servery-netty")),
                entry("servery-interop", Set.of("servery-netty")));
    }

    @Test
    void librariesOfAModuleAreTheOnesThatItsPlaceAllows() throws Exception {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (BuildFile module : BuildFile.ofAllModules()) {
            groups.put(module.module(),
                    module.dependencies().stream()
                            .filter(dependency -> !dependency.isOfTheProject() && !dependency.scope().equals("test"))
                            .map(BuildFile.Dependency::group).collect(Collectors.toCollection(TreeSet::new)));
        }
        assertThat(groups).containsExactly(entry("servery-core", Set.of("com.electronwill.night-config")),
                entry("servery-http", Set.of("io.netty")), entry("servery-supervisor", Set.of()),
                entry("servery-acme", Set.of("org.bouncycastle", "org.shredzone.acme4j", "org.slf4j")),
                entry("servery-admin", Set.of("io.prometheus")),
                entry("servery-netty",
                        Set.of("com.aayushatharva.brotli4j", "com.github.luben", "info.picocli", "io.netty")),
                entry("servery-fuzz", Set.of()), entry("servery-bench", Set.of()),
                entry("servery-interop", Set.of()));
    }

    @Test
    void everyDirectDependencyHasItsReasonInAnAdr() throws Exception {
        String reasons = SourceTree.text("docs/adr/0004-dependencies.md");
        Set<String> named = names(
                Stream.concat(Stream.of(BuildFile.parent()), BuildFile.ofAllModules().stream())
                        .map(BuildFile::dependencies)
                        .flatMap(List::stream).filter(dependency -> !dependency.isOfTheProject()));
        assertThat(named).isNotEmpty().allSatisfy(artifact -> assertThat(reasons).contains("`" + artifact + "`"));
    }

    private static Set<String> names(Stream<BuildFile.Dependency> dependencies) {
        return dependencies.map(BuildFile.Dependency::artifact).collect(Collectors.toCollection(TreeSet::new));
    }
}
