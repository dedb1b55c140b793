package io.servery.acme;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/// The arrows of this module.
@AnalyzeClasses(packages = "io.servery.acme", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CORE = "io.servery.core..";
    private static final String RENEWAL = "io.servery.acme.renewal..";
    private static final String STORE = "io.servery.acme.store..";
    private static final String CHALLENGE = "io.servery.acme.challenge..";
    private static final String ORDER = "io.servery.acme.order..";
    private static final String ACME4J = "org.shredzone.acme4j..";
    private static final String IDENTITIES = "io.servery.core.tls..";
    private static final String JDK = "java..";
    private static final String TLS = "javax.net.ssl..";
    private static final String ANNOTATIONS = "org.jspecify..";

    @ArchTest
    static final ArchRule renewalNeedsReasonsAndLifetimes = onlyDependsOn(RENEWAL, RENEWAL, "io.servery.core.reason..",
            IDENTITIES, JDK, ANNOTATIONS);

    @ArchTest
    static final ArchRule renewalHasNoClocksThreadsOrFiles = noClasses().that().resideInAPackage(RENEWAL).should()
            .dependOnClassesThat().resideInAnyPackage("java.util.concurrent..", "java.io..", "java.nio..", "java.net..")
            .orShould().dependOnClassesThat().areAssignableTo(Clock.class).orShould()
            .callMethod(Instant.class,
                    "now")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread");

    @ArchTest
    static final ArchRule storeNeedsTheJdk = onlyDependsOn(STORE, STORE, RENEWAL, IDENTITIES, JDK, ANNOTATIONS);

    @ArchTest
    static final ArchRule challengesAreValues = onlyDependsOn(CHALLENGE, CHALLENGE, CORE, JDK, ANNOTATIONS);

    @ArchTest
    static final ArchRule orderSpeaksWithTheAuthority = onlyDependsOn(ORDER, ORDER, CHALLENGE, STORE, RENEWAL, CORE,
            ACME4J, JDK, TLS, ANNOTATIONS);

    @ArchTest
    static final ArchRule nothingListens = noClasses().should().dependOnClassesThat().haveNameMatching(
            "java\\.net\\.ServerSocket|java\\.nio\\.channels\\.ServerSocketChannel|com\\.sun\\.net\\.httpserver\\..*");

    private static ArchRule onlyDependsOn(String from, String... to) {
        return classes().that().resideInAPackage(from).should().onlyDependOnClassesThat().resideInAnyPackage(to);
    }
}
