package io.servery.acme.order;

/// Where results go: to the loop of whoever asked.
public interface Mailbox {

    /// Called from the thread of ACME; puts it aside and returns.
    void deliver(Reply reply);
}
