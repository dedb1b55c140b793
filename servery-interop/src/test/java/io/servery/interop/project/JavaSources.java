package io.servery.interop.project;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Every Java file of the tree, parsed by the JDK's own compiler.
record JavaSources(Iterable<? extends CompilationUnitTree> units, Trees trees) {
    static JavaSources parse(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT,
                StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
                    manager.getJavaFileObjectsFromPaths(files));
            return new JavaSources(List.copyOf(toList(task.parse())), Trees.instance(task));
        }
    }

    private static List<CompilationUnitTree> toList(Iterable<? extends CompilationUnitTree> parsed) {
        List<CompilationUnitTree> list = new ArrayList<>();
        parsed.forEach(list::add);
        return list;
    }
}
