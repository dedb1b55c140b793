/// Expected failures as values: whose fault, where, what was found and what was expected, and the exit code.
///
/// Not here: bugs, which throw.
@NullMarked
package io.servery.core.fault;

import org.jspecify.annotations.NullMarked;
