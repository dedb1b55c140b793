/// Starting as an operator sees it: real processes under Java 17 and 25, their exit codes, signals and diagnostics.
@NullMarked
package io.servery.interop.launcher;

import org.jspecify.annotations.NullMarked;
