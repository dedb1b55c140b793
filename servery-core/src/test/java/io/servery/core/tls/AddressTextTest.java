package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTextTest {
    /// RFC 5952, sections 4.1 to 4.3: no leading zeros; the longest run of zeros is left out, the first of two; a single zero is
    /// not; lower case.
    @ParameterizedTest
    @CsvSource({"2001:0db8::0001, 2001:db8::1", "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
            "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
            "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1", "2001:DB8::ABCD, 2001:db8::abcd", "0:0:0:0:0:0:0:0, ::",
            "0:0:0:0:0:0:0:1, ::1", "2001:db8:0:0:0:0:0:0, 2001:db8::", "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
            "127.0.0.1, 127.0.0.1"})
    void isWrittenAsShortAsItCanBe(String address, String text) throws UnknownHostException {
        assertThat(AddressText.of(InetAddress.getByName(address))).isEqualTo(text);
    }

    /// RFC 4007, section 11.
    @Test
    void tellsTheZoneOfALinkLocalAddress() throws UnknownHostException {
        byte[] bytes = InetAddress.getByName("fe80::1").getAddress();

        assertThat(AddressText.of(Inet6Address.getByAddress(null, bytes, 3))).isEqualTo("fe80::1%3");
    }
}
