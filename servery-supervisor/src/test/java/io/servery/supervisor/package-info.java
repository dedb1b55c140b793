/// What the tests of several packages share.
package io.servery.supervisor;
