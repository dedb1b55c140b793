package io.servery.supervisor.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/// A program that prints each line of its standard input at once, and `end` when it ends.
final class StdinPrinter {
    private StdinPrinter() {
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println("line " + line);
        }
        System.out.println("end");
    }
}
