/// The command line: commands and their options, help, exit codes, what is printed where.
///
/// Standard output carries data, standard error diagnostics. Nothing is bound, written or started before the
/// configuration is accepted.
///
/// Not here: what a configuration means (`io.servery.core.config`), starting a service (whoever implements
/// [ServiceLauncher]).
@NullMarked
package io.servery.netty.cli;

import org.jspecify.annotations.NullMarked;
