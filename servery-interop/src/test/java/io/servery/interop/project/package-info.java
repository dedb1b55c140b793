/// The rules of the project itself: its sources, its build files, its pages and its jar, read as they lie in the tree.
///
/// Not here: the arrows between packages (`ArchitectureTest` of servery-netty).
@NullMarked
package io.servery.interop.project;

import org.jspecify.annotations.NullMarked;
