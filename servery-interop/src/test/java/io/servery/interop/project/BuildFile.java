package io.servery.interop.project;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// The direct dependencies of one module, as its build file names them.
record BuildFile(String module, List<Dependency> dependencies) {
    record Dependency(String group, String artifact, String scope) {
        boolean isOfTheProject() {
            return group.equals("io.servery");
        }
    }

    static List<BuildFile> ofAllModules() throws Exception {
        List<BuildFile> modules = new ArrayList<>();
        for (Element module : children(children(root("pom.xml"), "modules").getFirst(), "module")) {
            modules.add(of(module.getTextContent().strip()));
        }
        return modules;
    }

    /// The dependencies that the parent gives to every module.
    static BuildFile parent() throws Exception {
        return new BuildFile("servery", read(root("pom.xml")));
    }

    private static BuildFile of(String module) throws Exception {
        return new BuildFile(module, read(root(module + "/pom.xml")));
    }

    private static List<Dependency> read(Element project) {
        List<Dependency> dependencies = new ArrayList<>();
        for (Element block : children(project, "dependencies")) {
            for (Element dependency : children(block, "dependency")) {
                dependencies.add(new Dependency(text(dependency, "groupId"), text(dependency, "artifactId"),
                        text(dependency, "scope")));
            }
        }
        return dependencies;
    }

    private static Element root(String name) throws IOException, ParserConfigurationException, SAXException {
        Path file = SourceTree.file(name);
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        return document.getDocumentElement();
    }

    private static String text(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
