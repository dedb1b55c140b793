package io.servery.interop.tls;

import io.servery.interop.Answer;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Said;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// Clients of one port, which trust one authority: the JDK's, `openssl s_client` and `curl`. None resumes a session unless it
/// is told to.
///
/// @param port where they connect
/// @param root the certificate that they trust
/// @param folder for what programs say
record Peer(int port, Path root, Path folder) {
    private static final int PATIENCE_MILLIS = (int) WireConnection.PATIENCE.toMillis();

    /// A context that trusts this root alone; it resumes what it has seen.
    static SSLContext trusting(Path root) {
        try (InputStream in = Files.newInputStream(root)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("root", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A connection to this host, which must show that it is. A name with a dot is sent in the first message.
    WireConnection connect(String host) {
        return WireConnection.over(open(host, "HTTPS"));
    }

    /// @param identification of the host by its certificate, "" for none: the chain is verified all the same
    private SSLSocket open(String host, String identification) {
        Socket connection = new Socket();
        try {
            connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            connection.setSoTimeout(PATIENCE_MILLIS);
            SSLSocket tls = (SSLSocket) trusting(root).getSocketFactory().createSocket(connection, host, port, true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm(identification);
            tls.setSSLParameters(parameters);
            tls.startHandshake();
            return tls;
        } catch (IOException e) {
            close(connection);
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Socket connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One request on a connection of its own, which must be answered.
    Answer get(String host, String target) {
        try (WireConnection connection = connect(host)) {
            return connection.get(host, target).answer();
        }
    }

    /// The chain that is shown to who asks for this host, whichever names it has. It is a valid one.
    List<X509Certificate> shown(String host) {
        try (SSLSocket tls = open(host, "")) {
            Certificate[] chain = tls.getSession().getPeerCertificates();
            return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    BigInteger serial(String host) {
        return shown(host).getFirst().getSerialNumber();
    }

    /// `openssl s_client`, which verifies, sends this and hears the server out.
    Said openssl(String request, String... words) {
        List<String> command = new ArrayList<>(List.of("s_client", "-connect", "127.0.0.1:" + port, "-CAfile",
                root.toString(), "-verify_return_error", "-ign_eof"));
        command.addAll(List.of(words));
        return Program.of("openssl", folder).run(request, command);
    }

    /// `curl` with an URL of this host at this port.
    ///
    /// @return the status and the protocol version as output
    Said curl(String host, String target, String... words) {
        List<String> command = new ArrayList<>(List.of("--silent", "--show-error", "--cacert", root.toString(),
                "--resolve", host + ":" + port + ":127.0.0.1", "--max-time", "20", "--output", "/dev/null",
                "--write-out", "%{http_code} %{http_version}"));
        command.addAll(List.of(words));
        command.add("https://" + host + ":" + port + target);
        return Program.of("curl", folder).run("", command);
    }

    /// A request that ends its connection.
    static String request(String host, String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    }
}
