package io.servery.core.tls;

/// One block of a PEM text.
///
/// @param label what stands after BEGIN, such as `CERTIFICATE`
/// @param line where it begins, from 1
record PemBlock(String label, int line, byte[] content) {
    @Override
    public String toString() {
        return "PemBlock[label=" + label + ", line=" + line + ", content=<redacted>]";
    }
}
