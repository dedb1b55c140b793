package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.WorkClass;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.semantics.ContentCoding;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.FilePath;
import io.servery.http.semantics.LocationPath;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Preconditions;
import io.servery.http.semantics.Status;
import io.servery.http.semantics.Validators;
import io.servery.netty.files.coding.ContentEncoder;
import io.servery.netty.lane.Delivery;
import io.servery.netty.lane.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers exchanges with files: what is fresh in memory at once, anything else by way of the filesystem lane.
///
/// *Owner*: one event loop; one handler each, because of its counters. `deliver…` alone are called by lanes.
public final class FilesHandler implements Handler {
    private static final String METHODS = "GET, HEAD, OPTIONS";
    private static final List<Field> ALLOW = List.of(new Field("Allow", METHODS));
    private static final ResponsePlan OPTIONS = new ResponsePlan.Empty(
            ResponseHead.status(Status.NO_CONTENT).with("Allow", METHODS).length(0));

    private final FileSite site;
    private final MetricShard metrics;
    private final FilePlanner planner;
    private final DigestedAnswers digested;

    /// @param loopShard the counters of the event loop whose exchanges this handler gets
    public FilesHandler(FileSite site, MetricShard loopShard) {
        this(site, loopShard, FilePlanner.unguessable());
    }

    FilesHandler(FileSite site, MetricShard loopShard, FilePlanner planner) {
        this.site = site;
        this.metrics = loopShard;
        this.planner = planner;
        this.digested = new DigestedAnswers(site, loopShard, planner, this);
    }

    @Override
    public void handle(Exchange exchange) {
        if (exchange.path().encodedSeparator() || !answeredFromKept(exchange, exchange.path().decoded())) {
            look(exchange);
        }
    }

    /// Answers with what is kept for the path: what is kept under a path was let through with it.
    private boolean answeredFromKept(Exchange exchange, String path) {
        Method method = exchange.head().method();
        if (method != Method.GET && method != Method.HEAD) {
            return false;
        }
        CachedFile cached = site.kept().find(path);
        FileSource source = cached != null && cached.fresh(site.time().nanos())
                ? cached.take(AcceptEncoding.of(exchange.head()))
                : null;
        if (cached == null || source == null) {
            return false;
        }
        metrics.cacheOperation(CacheName.FILE, CacheResult.HIT);
        cached.use();
        answerWith(exchange, cached.tree(), source);
        return true;
    }

    private void look(Exchange exchange) {
        switch (FilePath.of(exchange.path(), false)) {
            case FilePath.Named(String path, boolean _) -> {
                boolean other = !path.equals(exchange.path().decoded());
                if (!other || !answeredFromKept(exchange, path)) {
                    serve(exchange, path, false);
                }
            }
            case FilePath.Hidden _ -> serveHidden(exchange);
            case FilePath.Rejected _ -> exchange.refuse(Refusal.MALFORMED_TARGET);
        }
    }

    private void serveHidden(Exchange exchange) {
        switch (FilePath.of(exchange.path(), true)) {
            case FilePath.Named(String path, boolean _) -> serve(exchange, path, true);
            case FilePath.Hidden _ -> exchange.refuse(Refusal.NOT_FOUND);
            case FilePath.Rejected _ -> exchange.refuse(Refusal.MALFORMED_TARGET);
        }
    }

    private void serve(Exchange exchange, String path, boolean hidden) {
        Method method = exchange.head().method();
        if (method != Method.GET && method != Method.HEAD) {
            answerOther(exchange, path, method);
            return;
        }
        load(exchange, path, hidden);
    }

    private void load(Exchange exchange, String path, boolean hidden) {
        FileTree tree = site.treeOf(path);
        if (tree == null) {
            exchange.refuse(Refusal.NOT_FOUND);
            return;
        }
        if (hidden && !tree.policy().showsHidden()) {
            refuse(exchange, tree, new Loaded.Refused(Refusal.NOT_FOUND));
            return;
        }
        if (tree.isUnslashedPrefix(path)) {
            redirect(exchange, path);
            return;
        }
        metrics.cacheOperation(CacheName.FILE, CacheResult.MISS);
        boolean navigation = tree.policy().pageMayStandFor(path) && isNavigation(exchange);
        Wanted wanted = new Wanted(AcceptEncoding.of(exchange.head()), view(exchange, tree, path));
        if (!site.flights().join(new FileRequest(this, exchange, tree, path, navigation, wanted))) {
            exchange.refuse(Refusal.QUEUE_FULL);
        }
    }

    /// A file has no other methods: QUERY too, safe as it is, has no meaning for one (RFC 9110 §15.5.6).
    private void answerOther(Exchange exchange, String path, Method method) {
        switch (method) {
            case OPTIONS -> exchange.respond(OPTIONS);
            case UNKNOWN -> exchange.refuse(Refusal.UNSUPPORTED_METHOD);
            case GET, HEAD, QUERY, TRACE, POST, PUT, DELETE, PATCH, CONNECT -> {
                Loaded.Refused refused = new Loaded.Refused(Refusal.METHOD_NOT_ALLOWED, ALLOW);
                FileTree tree = site.treeOf(path);
                if (tree == null) {
                    exchange.refuse(refused.refusal(), refused.more());
                } else {
                    refuse(exchange, tree, refused);
                }
            }
        }
    }

    /// What a browser sends when somebody follows a link or types an address: it wants a page by name. Whoever asks for
    /// another field here names it in the Vary of both answers, too.
    private static boolean isNavigation(Exchange exchange) {
        for (String accept : exchange.head().values(FieldName.ACCEPT)) {
            if (accept.contains("text/html")) {
                return true;
            }
        }
        return false;
    }

    /// Hands over what the lane found; called there.
    void deliver(FileRequest request, Loaded loaded) {
        Exchange exchange = request.exchange();
        new Delivery<Loaded>(exchange.executor(), exchange::cancelled, taken -> finish(exchange, request, taken),
                Loaded::unused).deliver(loaded);
    }

    /// Hands over what came of listing a directory; called by the compute lane, which fetches no page for a refusal.
    void deliverListed(FileRequest request, Loaded listed) {
        Exchange exchange = request.exchange();
        new Delivery<Loaded>(exchange.executor(), exchange::cancelled, taken -> {
            if (taken instanceof Loaded.Refused refused) {
                refuse(exchange, request.tree(), refused);
            } else {
                finish(exchange, request, taken);
            }
        }, Loaded::unused).deliver(listed);
    }

    private void finish(Exchange exchange, FileRequest request, Loaded loaded) {
        switch (loaded) {
            case Loaded.File(FileSource source) -> answerWith(exchange, request.tree(), source);
            case Loaded.Unslashed _ -> redirect(exchange, request.path());
            case Loaded.Listing(ListingAnswer listing) -> answerWith(exchange, request.tree(), listing);
            case Loaded.Directory _ -> throw new IllegalStateException("directory: found no list of it");
            case Loaded.Refused(Refusal refusal, List<Field> more) -> refusePlainly(exchange, refusal, more);
            case Loaded.RefusedWithPage(Loaded.Refused refused, FileSource page) -> refuseWithPage(exchange,
                    request.tree(), refused, page);
        }
    }

    private void answerWith(Exchange exchange, FileTree tree, FileSource source) {
        if (!source.representation().varies() || exchange.head().count(FieldName.ACCEPT_ENCODING) == 0) {
            answerAsIs(exchange, tree, source);
            return;
        }
        AcceptEncoding accepted = AcceptEncoding.of(exchange.head());
        MemoryFile beside = source instanceof MemoryFile memory ? memory.beside(accepted) : null;
        ContentCoding coding = beside == null ? made(exchange, source.representation(), accepted) : null;
        if (coding == null) {
            answerAsIs(exchange, tree, beside == null ? source : beside);
        } else {
            answerCompressed(exchange, tree, source, coding);
        }
    }

    /// The coding of the form that is to be made, or null for none. A part is always one of what is on disk: a form that
    /// was made may be gone, or never come about, when the next part is asked for.
    private static @Nullable ContentCoding made(Exchange exchange, Representation plain, AcceptEncoding accepted) {
        boolean part = exchange.head().count(FieldName.RANGE) > 0 && !isHead(exchange);
        if (!plain.compressible() || part) {
            return null;
        }
        for (int i = 0; i < accepted.codings().size(); i++) {
            if (ContentEncoder.available(accepted.codings().get(i))) {
                return accepted.codings().get(i);
            }
        }
        return null;
    }

    /// With the form that is there, or else by way of the compute lane; plain where that is full, or forms are.
    private void answerCompressed(Exchange exchange, FileTree tree, FileSource plain, ContentCoding coding) {
        Compressions.Key key = new Compressions.Key(plain.representation(), coding);
        FileSource answering = site.compressions().find(key, plain);
        if (answering != null) {
            metrics.cacheOperation(CacheName.COMPRESSION, CacheResult.HIT);
            answerAsIs(exchange, tree, answering);
            return;
        }
        if (isCurrent(exchange, plain.representation(), coding)) {
            plain.unused();
            exchange.respond(new ResponsePlan.Empty(plain.representation().compressed(coding, 0).notModified()));
            return;
        }
        metrics.cacheOperation(CacheName.COMPRESSION, CacheResult.MISS);
        if (!site.compressions().join(key, new Compressions.Waiting(this, exchange, tree, plain))) {
            metrics.cacheOperation(CacheName.COMPRESSION, CacheResult.REJECTED);
            answerAsIs(exchange, tree, plain);
        }
    }

    /// Whether the client has the form already: its tag is known without making it.
    private boolean isCurrent(Exchange exchange, Representation plain, ContentCoding coding) {
        if (exchange.head().count(FieldName.IF_NONE_MATCH) == 0) {
            return false;
        }
        Validators validators = new Validators(plain.compressedTag(coding),
                plain.validators().lastModifiedEpochSecond());
        return Preconditions.evaluate(exchange.head().method(), exchange.head(), validators,
                site.time().epochSecond()) == Preconditions.Outcome.NOT_MODIFIED;
    }

    /// Hands over what came of compressing; called by the compute lane.
    ///
    /// @param answering the form, in the place of the plain source, or that
    void deliverForm(Compressions.Waiting waiting, FileSource answering) {
        Exchange exchange = waiting.exchange();
        new Delivery<FileSource>(exchange.executor(), exchange::cancelled,
                source -> answerAsIs(exchange, waiting.tree(), source), FileSource::unused).deliver(answering);
    }

    private void answerAsIs(Exchange exchange, FileTree tree, FileSource source) {
        exchange.workClass(source instanceof MemoryFile ? WorkClass.STATIC_SMALL : WorkClass.STATIC_STREAM);
        if (source.representation().digests() && digested.takes(exchange, tree, source)) {
            return;
        }
        answer(exchange, tree,
                planner.plan(source, exchange.head().method(), exchange.head(), site.time().epochSecond()));
    }

    void answer(Exchange exchange, FileTree tree, Answer answer) {
        switch (answer) {
            case Answer.Given(ResponsePlan plan) -> exchange.respond(plan);
            case Answer.Refused(Refusal refusal, List<Field> more) -> refuse(exchange, tree,
                    new Loaded.Refused(refusal, more));
        }
    }

    /// No ranges: a listing is small, and who continues an old one gets pieces of two (RFC 9110 §14.2 lets us ignore Range).
    private void answerWith(Exchange exchange, FileTree tree, ListingAnswer listing) {
        exchange.workClass(WorkClass.LISTING);
        Method method = exchange.head().method();
        switch (Preconditions.evaluate(method, exchange.head(), listing.validators(), site.time().epochSecond())) {
            case FAILED -> refuse(exchange, tree, new Loaded.Refused(Refusal.PRECONDITION_FAILED));
            case NOT_MODIFIED -> exchange.respond(listing.notModified());
            case PROCEED -> exchange.respond(isHead(exchange) ? listing.headOnly() : listing.inParts());
        }
    }

    private static ListingView view(Exchange exchange, FileTree tree, String path) {
        return tree.policy().listing() && path.endsWith("/")
                ? ListingView.of(exchange.head(), query(exchange.head().target()))
                : ListingView.DEFAULT;
    }

    /// Refuses with the operator's page if there is one, and the lane has room to fetch it.
    void refuse(Exchange exchange, FileTree tree, Loaded.Refused refused) {
        boolean hasPage = tree.policy().errorPage(refused.refusal().status()) != null;
        if (!hasPage || !site.lane().offer(new PageWork(exchange, tree, refused))) {
            refusePlainly(exchange, refused.refusal(), refused.more());
        }
    }

    private static void refusePlainly(Exchange exchange, Refusal refusal, List<Field> more) {
        if (more.isEmpty()) {
            exchange.refuse(refusal);
        } else {
            exchange.refuse(refusal, more);
        }
    }

    /// The page carries what the refusal says of itself and how its bytes are to be read: no validators, for those of the
    /// page's file are not those of what was asked for.
    private static void refuseWithPage(Exchange exchange, FileTree tree, Loaded.Refused refused, FileSource page) {
        ResponseHead.Builder head = ResponseHead.status(refused.refusal().status());
        Representation representation = page.representation();
        String contentType = representation.described("Content-Type");
        if (contentType != null) {
            head.with("Content-Type", contentType);
        }
        head.with(tree.policy().commonWithoutCaching())
                .with(exchange.refusalPages().fields(refused.refusal()))
                .with(refused.more());
        ResponseHead complete = head.length(representation.size());
        if (isHead(exchange)) {
            page.unused();
            exchange.refuse(refused.refusal(), new ResponsePlan.Empty(complete));
        } else {
            exchange.refuse(refused.refusal(), page.under(complete));
        }
    }

    /// 301, which every client knows: only GET and HEAD come here, so that its licence to turn POST into GET
    /// (RFC 9110 §15.4.2) does not matter.
    private static void redirect(Exchange exchange, String path) {
        String location = LocationPath.ofDirectory(path, query(exchange.head().target()));
        exchange.respond(new ResponsePlan.Empty(
                ResponseHead.status(Status.MOVED_PERMANENTLY).with("Location", location).length(0)));
    }

    private static @Nullable String query(String target) {
        int mark = target.indexOf('?');
        return mark < 0 ? null : target.substring(mark + 1);
    }

    private static boolean isHead(Exchange exchange) {
        return exchange.head().method() == Method.HEAD;
    }

    /// Fetches the operator's page for a refusal that was decided on the loop.
    private final class PageWork implements Work {
        private final FileRequest request;
        private final Loaded.Refused refused;

        PageWork(Exchange exchange, FileTree tree, Loaded.Refused refused) {
            this.request = new FileRequest(FilesHandler.this, exchange, tree, tree.prefix(), false,
                    Wanted.PLAIN);
            this.refused = refused;
        }

        @Override
        public void run() {
            Loaded loaded = refused;
            try {
                loaded = site.loader().withPage(request.tree(), refused);
            } finally {
                deliver(request, loaded);
            }
        }

        @Override
        public void discard() {
            deliver(request, refused);
        }
    }
}
