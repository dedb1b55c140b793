/// The jar's entry, compiled for Java 11 so that an older JVM can still run it: under Java 25 it calls the server, under
/// an older one it finds a JDK 25 and starts the server there as a child.
///
/// Not here: JVM flags of the server and the replacement by execv (`io.servery.netty.start`), and anything that needs
/// another class of Servery.
@NullMarked
package io.servery.launcher;

import org.jspecify.annotations.NullMarked;
