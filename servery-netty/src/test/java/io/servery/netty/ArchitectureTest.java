package io.servery.netty;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

/// The arrows of ARCHITECTURE.md, from the bottom up.
@AnalyzeClasses(packages = "io.servery", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String LAUNCHER = "io.servery.launcher..";
    private static final String CORE = "io.servery.core..";
    private static final String HTTP = "io.servery.http..";
    private static final String SEMANTICS = "io.servery.http.semantics..";
    private static final String ADMIN = "io.servery.admin..";
    private static final String SUPERVISOR = "io.servery.supervisor..";
    private static final String ACME = "io.servery.acme..";
    private static final String LANE = "io.servery.netty.lane..";
    private static final String NATIVES = "io.servery.netty.natives..";
    private static final String OBSERVE = "io.servery.netty.observe..";
    private static final String WORKER = "io.servery.netty.worker..";
    private static final String RUN = "io.servery.netty.run..";
    private static final String CLI = "io.servery.netty.cli..";
    private static final String JDK = "java..";
    private static final String CRYPTO = "javax.crypto..";
    private static final String TLS = "javax.net.ssl..";
    private static final String NAMES_OF_CERTIFICATES = "javax.security.auth.x500..";
    private static final String ANNOTATIONS = "org.jspecify..";

    @ArchTest
    static final ArchRule launcherNeedsTheJdkAlone = onlyDependsOn(LAUNCHER, LAUNCHER, JDK, ANNOTATIONS);

    @ArchTest
    static final ArchRule coreNeedsTheJdkAndNightConfigAlone = onlyDependsOn(CORE, CORE, JDK, ANNOTATIONS,
            CRYPTO, NAMES_OF_CERTIFICATES, "com.electronwill.nightconfig..");

    @ArchTest
    static final ArchRule coreHasNoSocketsThreadsClocksOrLoggers = noClasses().that().resideInAPackage(CORE).should()
            .dependOnClassesThat(named("java.net.(.*Socket.*|.*Connection|http..*)", "java.nio.channels.*Channel.*",
                    "java.lang.Thread", "java.lang.ProcessBuilder",
                    "java.util.concurrent.(.*Executor.*|CompletableFuture)",
                    "java.util.logging..*", "java.lang.System\\$Logger.*"))
            .orShould().dependOnClassesThat().areAssignableTo(Clock.class).orShould(callMethod(Instant.class, "now"))
            .orShould(callMethod(System.class, "nanoTime")).orShould(callMethod(System.class, "currentTimeMillis"));

    @ArchTest
    static final ArchRule semanticsIsPure = onlyDependsOn(SEMANTICS, SEMANTICS, CORE, JDK, ANNOTATIONS);

    @ArchTest
    static final ArchRule semanticsHasNoThreadsClocksOrFiles = noClasses().that().resideInAPackage(SEMANTICS).should()
            .dependOnClassesThat(named("java.io.(File|.*Stream|Reader|Writer)", "java.nio.file.Files",
                    "java.nio.channels..*",
                    "java.net.(.*Socket.*|InetAddress)", "java.lang.Thread", "java.util.concurrent.*Executor.*"))
            .orShould(callMethod(Instant.class, "now")).orShould(callMethod(System.class, "nanoTime"))
            .orShould(callMethod(System.class, "currentTimeMillis"));

    @ArchTest
    static final ArchRule httpNeedsCoreAndNettyAlone = onlyDependsOn(HTTP, HTTP, CORE, JDK, TLS, ANNOTATIONS,
            "io.netty..");

    @ArchTest
    static final ArchRule exchangeKnowsNoTransport = noClasses().that().resideInAPackage("io.servery.http.exchange..")
            .should()
            .dependOnClassesThat().resideInAnyPackage("io.servery.http.http1..");

    @ArchTest
    static final ArchRule semanticsAndExchangeKnowNoConfiguration = noClasses().that()
            .resideInAnyPackage(SEMANTICS, "io.servery.http.exchange..").should().dependOnClassesThat()
            .resideInAPackage("io.servery.core.config..");

    @ArchTest
    static final ArchRule adminNeedsCoreHttpAndTheExpositionAlone = onlyDependsOn(ADMIN, ADMIN, CORE, HTTP, JDK,
            ANNOTATIONS,
            "io.netty..", "io.prometheus..");

    @ArchTest
    static final ArchRule supervisorNeedsTheJdkAndCoreAlone = onlyDependsOn(SUPERVISOR, SUPERVISOR, CORE, JDK,
            ANNOTATIONS);

    @ArchTest
    static final ArchRule systemCallsKnowNothingOfWhatTheyAreFor = onlyDependsOn("io.servery.supervisor.posix..",
            "io.servery.supervisor.posix..", JDK, ANNOTATIONS);

    /// Lanes and what is observed serve every feature; `worker`, `run` and `cli` put features together.
    @ArchTest
    static final ArchRule noFeatureSeesAnother = slices().matching("io.servery.netty.(*)..").should()
            .notDependOnEachOther()
            .ignoreDependency(DescribedPredicate.alwaysTrue(), resideInAnyPackage(LANE, OBSERVE, NATIVES))
            .ignoreDependency(resideInAnyPackage(WORKER, RUN, CLI), DescribedPredicate.alwaysTrue());

    @ArchTest
    static final ArchRule workerKnowsNothingOfWhoRunsIt = noClasses().that().resideInAPackage(WORKER).should()
            .dependOnClassesThat().resideInAnyPackage(RUN, CLI);

    @ArchTest
    static final ArchRule runKnowsNothingOfTheCommandLine = noClasses().that().resideInAPackage(RUN).should()
            .dependOnClassesThat().resideInAPackage(CLI).allowEmptyShould(true);

    @ArchTest
    static final ArchRule noFeatureSeesTheCompositionRoot = noClasses().that().resideInAPackage("io.servery.netty.*..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.servery.netty"));

    @ArchTest
    static final ArchRule librariesWriteToNoStandardStream = noClasses().that()
            .resideInAnyPackage(CORE, HTTP, ADMIN, SUPERVISOR, ACME)
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule connectionCodeNeverWaitsForAFuture = noClasses().that().resideInAnyPackage(HTTP, ADMIN)
            .should()
            .callMethodWhere(DescribedPredicate.describe("a future is waited for",
                    call -> call.getTargetOwner().isAssignableTo(java.util.concurrent.Future.class)
                            && Stream.of("get", "join", "sync", "await", "awaitUninterruptibly", "syncUninterruptibly")
                                    .anyMatch(call.getName()::equals)));

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses().should().haveNameMatching(
            ".*(Manager|Helper|Helpers|Util|Utils|Utilities|Impl)(\\$.*)?");

    @ArchTest
    static final ArchRule accessorsHaveNoGetPrefix = methods().that().haveNameMatching("(get|is[A-Z].*Get)[A-Z].*")
            .should(overrideAMethodOfAnotherLibrary()).allowEmptyShould(true);

    /// These calculate by `BigDecimal`, whose class makes large numbers when it is initialised: 13 ms, and 27 MB for the
    /// collector, in the middle of whatever asked first.
    @ArchTest
    static final ArchRule durationsAreNotMultipliedAsDecimals = noClasses().should(callMethod(Duration.class,
            "multipliedBy", long.class)).orShould(callMethod(Duration.class, "dividedBy", long.class));

    private static ArchRule onlyDependsOn(String from, String... to) {
        return classes().that().resideInAPackage(from).should()
                .onlyDependOnClassesThat(resideInAnyPackage(to).or(DescribedPredicate.describe("primitives",
                        type -> type.isPrimitive() || type.getPackageName().isEmpty())))
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> named(String... patterns) {
        return DescribedPredicate.describe("named " + String.join(", ", patterns),
                type -> Arrays.stream(patterns).anyMatch(type.getName()::matches));
    }

    private static ArchCondition<JavaMethod> overrideAMethodOfAnotherLibrary() {
        return new ArchCondition<>("override a method of another library") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean overrides = Stream
                        .concat(method.getOwner().getAllRawSuperclasses().stream(),
                                method.getOwner().getAllRawInterfaces().stream())
                        .filter(type -> !type.getPackageName().startsWith("io.servery"))
                        .anyMatch(type -> type.getMethods().stream()
                                .anyMatch(own -> own.getName().equals(method.getName())));
                events.add(new SimpleConditionEvent(method, overrides, method.getFullName() + " has a get prefix"));
            }
        };
    }
}
