"""TLS: the workloads, what `openssl s_time` prints, what a ServerHello says, and what is reported."""
import argparse
import socket
import sys
import threading
import unittest

from harness import hello, report, servers, service, tls, workloads

from .runs import idle_run

S_TIME = """\
Collecting connection statistics for 3 seconds
***********************************************

3 connections in 0.01s; 300.00 connections/user sec, bytes read 3900
3 connections in 4 real seconds, 1300 bytes read per connection
"""


def named(name):
    return workloads.chosen(name, workloads.TLS)[0]


class Workloads(unittest.TestCase):
    def test_every_gate_is_one_beside_nginx(self):
        self.assertEqual({one.name: [(gate.baseline, gate.gate, gate.goal) for gate in one.gates]
                          for one in workloads.TLS},
                         {"tls-1k-c64": [("nginx", 0.88, 0.80)], "tls-resumed": [("nginx", 0.90, 0.80)],
                          "tls-full": [("nginx", 1.05, 0.95)], "tls-10m-c8": [("nginx", 1.2, 1.0)]})
        self.assertEqual(report.IDLE_TLS_PSS_KIB, (12.0, 10.0))
        self.assertEqual(tls.CONNECTIONS, 2000)

    def test_a_session_goes_on_in_a_connection_for_each_request(self):
        words = named("tls-resumed").tool.words(named("tls-resumed"), "https", 443, 2)
        self.assertEqual(words[0], "wrk")
        self.assertIn("Connection: close", words)
        self.assertEqual(words[-1], "https://127.0.0.1:443/1k.txt")
        self.assertNotIn("Connection: close", named("tls-1k-c64").tool.words(named("tls-1k-c64"), "https", 443, 2))

    def test_full_handshakes_are_new_ones_of_tls_1_3(self):
        words = named("tls-full").tool.words(named("tls-full"), "https", 443, 2)
        self.assertEqual(words[:2], ["openssl", "s_time"])
        self.assertLessEqual({"-new", "-tls1_3"}, set(words))

    def test_ours_and_nginx_are_neighbours_and_all_speak_tls(self):
        names = [definition.name for definition in servers.TLS]
        self.assertEqual(abs(names.index(servers.OURS) - names.index(servers.NGINX)), 1)
        self.assertTrue(all(definition.tls for definition in servers.TLS))
        self.assertFalse(any(definition.tls for definition in servers.ALL))

    def test_an_unknown_part_is_said(self):
        with self.assertRaisesRegex(SystemExit, "expected some of load, idle"):
            tls.run(None, argparse.Namespace(only=None, work=None), ["lod"])

    def test_a_service_has_a_certificate_only_over_tls(self):
        self.assertIn('[tls]\nmode = "manual"', service.configuration(443, 1, "/d", tls=True))
        self.assertNotIn("[tls", service.configuration(80, 1, "/d"))
        for secure in (False, True):
            self.assertTrue(service.configuration(80, 1, "/d", secure).startswith("schema_version = 1\n"))


class STime(unittest.TestCase):
    def test_connections_and_bytes_are_read(self):
        summary = workloads.parse_s_time(S_TIME)
        self.assertEqual((summary["requests"], summary["bytes"], summary["each"]), (3, 3900, 1300))
        self.assertEqual(workloads.answered(named("tls-full"), summary), 3)
        self.assertIsNone(summary["p99"])

    def test_a_connection_that_failed_ends_the_run_without_counts(self):
        with self.assertRaisesRegex(workloads.BadRun, "Connection refused"):
            workloads.parse_s_time("Collecting connection statistics for 3 seconds\n***ERROR\nConnection refused\n")
        with self.assertRaisesRegex(workloads.BadRun, "nothing"):
            workloads.parse_s_time("")
        with self.assertRaises(workloads.BadRun):
            workloads.parse_s_time(S_TIME.rpartition("3 connections in 4")[0])

    def test_one_answer_that_is_shorter_than_the_others_is_noticed(self):
        with self.assertRaisesRegex(workloads.BadRun, "not as many from each"):
            workloads.parse_s_time(S_TIME.replace("read 3900", "read 3899"))
        with self.assertRaises(workloads.BadRun):
            workloads.parse_s_time(S_TIME.replace("3 connections in 4", "2 connections in 4"))

    def test_answers_shorter_than_the_file_are_errors(self):
        short = workloads.parse_s_time(S_TIME.replace("3900", "900").replace("1300", "300"))
        with self.assertRaisesRegex(workloads.BadRun, "300 bytes"):
            workloads.answered(named("tls-full"), short)

    def test_no_connection_is_no_figure(self):
        none = S_TIME.replace("3 connections", "0 connections").replace("3900", "0").replace("1300", "0")
        with self.assertRaises(workloads.BadRun):
            workloads.answered(named("tls-full"), workloads.parse_s_time(none))


def server_hello(cipher=0x1302, group=0x001d, resumed=False, random=bytes(32), version=0x0304):
    """RFC 8446 §4.1.3, in one record."""
    extensions = b""
    if version == 0x0304:
        share = group.to_bytes(2) + (32).to_bytes(2) + bytes(32)
        extensions += bytes.fromhex("002b00020304") + bytes.fromhex("0033") + len(share).to_bytes(2) + share
    if resumed:
        extensions += bytes.fromhex("002900020000")
    body = bytes.fromhex("0303") + random + b"\x20" + bytes(32) + cipher.to_bytes(2) + b"\0" \
        + len(extensions).to_bytes(2) + extensions
    message = b"\x02" + len(body).to_bytes(3) + body
    return b"\x16\x03\x03" + len(message).to_bytes(2) + message


class Hellos(unittest.TestCase):
    def test_version_group_and_cipher_are_in_clear(self):
        self.assertEqual(hello.parse(server_hello() + b"\x14\x03\x03\0\x01\x01"),
                         hello.Agreed("TLSv1.3", "AES_256_GCM_SHA384", "X25519", False))

    def test_a_pre_shared_key_is_a_session_that_goes_on(self):
        self.assertTrue(hello.parse(server_hello(resumed=True)).resumed)

    def test_a_retry_is_told_from_a_hello(self):
        self.assertTrue(hello.parse(server_hello(random=hello.RETRY)).retried)

    def test_tls_1_2_tells_no_group(self):
        old = hello.parse(server_hello(cipher=0xc02b, version=0x0303))
        self.assertEqual((old.version, old.group, old.cipher), ("TLSv1.2", None, "0xc02b"))

    def test_what_has_not_come_whole_is_waited_for(self):
        whole = server_hello()
        for length in range(len(whole)):
            self.assertIsNone(hello.parse(whole[:length]))

    def test_an_alert_or_plain_text_is_none(self):
        for other in (b"\x15\x03\x03\0\x02\x02\x28\0\0", b"HTTP/1.1 400 Bad Request\r\n"):
            with self.assertRaises(ValueError):
                hello.parse(other)

    def test_the_relay_hands_on_and_hears_each_connection(self):
        ask = "import socket, sys\nfor _ in range(3):\n" \
              "  with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as connection:\n" \
              "    connection.sendall(b'?')\n    print(len(connection.makefile('rb').read()))"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                for _ in range(3):
                    with listener.accept()[0] as connection:
                        connection.recv(1)
                        connection.sendall(server_hello(resumed=True))
            thread = threading.Thread(target=serve)
            thread.start()
            said, found = hello.overhear(listener.getsockname()[1],
                                         lambda port: [sys.executable, "-c", ask, str(port)], 30)
            thread.join()
        self.assertEqual(said.split(), [str(len(server_hello(resumed=True)))] * 3)
        self.assertEqual([one.resumed for one in found], [True] * 3)


def agreed(handshakes=100, resumed=0, **other):
    return {"version": "TLSv1.3", "group": "X25519", "cipher": "AES_256_GCM_SHA384", "handshakes": handshakes,
            "resumed": resumed, **other}


class Agreement(unittest.TestCase):
    def test_handshakes_of_one_kind_are_counted(self):
        kinds = [hello.Agreed("TLSv1.3", "AES_256_GCM_SHA384", "X25519", resumed) for resumed in (False, True, True)]
        self.assertEqual(tls.agreement(kinds), agreed(3, 2))

    def test_handshakes_of_two_kinds_or_none_are_no_figure(self):
        one = hello.Agreed("TLSv1.3", "AES_256_GCM_SHA384", "X25519", False)
        for bad in ([], [one, hello.Agreed("TLSv1.3", "AES_128_GCM_SHA256", "X25519", False)],
                    [hello.Agreed("TLSv1.3", "AES_256_GCM_SHA384", "X25519", False, retried=True)]):
            with self.assertRaises(workloads.BadRun):
                tls.agreement(bad)

    def test_all_but_the_first_of_each_connection_must_be_resumed(self):
        self.assertIsNone(tls.fault(agreed(100, 84), agreed(), 16))
        self.assertIn("resumed 83 of 100", tls.fault(agreed(100, 83), agreed(), 16))
        self.assertIn("resumed 0 of 10", tls.fault(agreed(10, 0), agreed(), 16))

    def test_a_full_handshake_must_be_one(self):
        self.assertIn("asks for none", tls.fault(agreed(100, 99), agreed(100, 1), 16))

    def test_another_version_or_group_is_another_work(self):
        self.assertIn("TLSv1.2", tls.fault(agreed(100, 99, version="TLSv1.2", group=None), agreed(), 16))
        self.assertIn("P-256", tls.fault(agreed(100, 99), agreed(group="P-256"), 16))


class Reports(unittest.TestCase):
    @staticmethod
    def runs(us, p99):
        return [{"rep": rep, "us": us, "requests_per_second": 1e6 / us, "mib_per_second": 1, "p99_us": p99,
                 "server_cpu": 1, "foreign": 0, "steal": 0} for rep in range(9)]

    def data(self):
        idle = [idle_run(rep, each=12.5) for rep in range(5)]
        return {"jar": "0" * 64, "began": "now", "machine": {"processors": 2, "processor": "x", "kernel": "6"},
                "load": {}, "discarded": [], "absent": {},
                "tls": {"load": {"load": {"tls-full": {"servery": self.runs(99, None), "nginx": self.runs(100, None)},
                                          "tls-1k-c64": {"servery": self.runs(9, 5), "nginx": self.runs(10, 5)}},
                                 "agreed": {"servery": {"resuming": agreed(100, 99), "full": agreed(50)}},
                                 "pss_after_load_mib": {"servery": 140.0},
                                 "absent": {"h2o": "resumed 5 of 10 sessions"}, "discarded": []},
                        "idle": {"load": {}, "idle": {"servery": idle}, "absent": {}, "discarded": []}}}

    def test_every_gate_has_its_line_and_the_memory_after_load_has_none(self):
        text, verdicts = report.text(self.data())
        self.assertIn("tls-1k-c64 / nginx: gate 0.88: 0.90 (0.90–0.90) missed", text)
        self.assertIn("tls-full / nginx: gate 1.05: 0.99 (0.99–0.99) held; goal 0.95 not reached", text)
        self.assertIn("an idle connection over TLS, PSS, KiB: gate 12: 12.50 (12.50–12.50) missed", text)
        self.assertEqual(len(verdicts), 3)

    def test_what_was_agreed_and_who_was_left_out_is_told(self):
        text, _ = report.text(self.data())
        self.assertIn("| servery | TLSv1.3 | X25519 | AES_256_GCM_SHA384 | 99 of 100 | 0 of 50 |", text)
        self.assertIn("- tls load, h2o: resumed 5 of 10 sessions", text)

    def test_another_cipher_than_that_of_nginx_is_said(self):
        data = self.data()
        self.assertNotIn("not do the same", report.text(data)[0])
        other = agreed(100, 99, cipher="AES_128_GCM_SHA256")
        data["tls"]["load"]["agreed"]["nginx"] = {"resuming": other, "full": other}
        self.assertIn("AES_256_GCM_SHA384 is not AES_128_GCM_SHA256", report.text(data)[0])

    def test_rows_are_as_wide_as_their_headings(self):
        text, _ = report.text(self.data())
        tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("| ")]
        self.assertGreaterEqual(len(tables), 4)
        for table in tables:
            self.assertEqual(len({line.count("|") for line in table}), 1, table)
