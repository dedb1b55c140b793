package io.servery.bench;

/// The heads of requests that are measured.
final class Requests {
    /// What the load generator of the comparison sends.
    static final String SHORT = "GET " + ServedFile.PATH + " HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n";
    /// What a browser sends.
    static final String BROWSER = "GET " + ServedFile.PATH + " HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
            + "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
            + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            + "Accept-Language: en-US,en;q=0.5\r\nConnection: keep-alive\r\n"
            + "Upgrade-Insecure-Requests: 1\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n"
            + "Sec-Fetch-Site: none\r\nPriority: u=0, i\r\n\r\n";

    private Requests() {
    }
}
