package io.servery.netty;

import io.servery.netty.start.SelfExec;

/// Placeholder until the real one.
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        SelfExec.replaceIfServing(Main.class, args);
        System.out.println("placeholder");
    }
}
