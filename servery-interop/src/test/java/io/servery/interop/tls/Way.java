package io.servery.interop.tls;

/// How bytes travel.
enum Way {
    PLAIN("epoll", false),
    PLAIN_BY_NIO("nio", false),
    TLS("epoll", true),
    TLS_BY_NIO("nio", true);

    private final String transport;
    private final boolean secure;

    Way(String transport, boolean secure) {
        this.transport = transport;
        this.secure = secure;
    }

    /// As `[runtime]` has it.
    String transport() {
        return transport;
    }

    boolean secure() {
        return secure;
    }
}
