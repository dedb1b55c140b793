/// Configuration: from the text of `servery.toml`, the environment and the command line to one valid [ServeryConfig],
/// or to every fault at once.
///
/// One table of keys (`KeyTable`) drives parsing, defaults, printing and the reference page.
///
/// Not here: what is done with a value, reading the command line itself (`io.servery.netty.cli`), reloading.
@NullMarked
package io.servery.core.config;

import org.jspecify.annotations.NullMarked;
