"""Ports that are chosen before a server starts."""
import itertools
import socket
import unittest
from unittest import mock

from harness import ports


class PortsTest(unittest.TestCase):
    def test_is_none_that_the_kernel_gives_away_and_another_each_time(self):
        first, last = ports.ephemeral()
        found = [ports.free_port() for _ in range(100)]
        self.assertEqual(100, len(set(found)))
        if first > ports.FIRST or last < ports.LAST:
            self.assertEqual([], [port for port in found if first <= port <= last])

    def test_is_none_that_somebody_has(self):
        with socket.socket() as taken:
            with mock.patch.object(ports, "_next", itertools.count(7)):
                mine = ports.free_port()
            taken.bind(("127.0.0.1", mine))
            with mock.patch.object(ports, "_next", itertools.count(7)):
                self.assertNotEqual(mine, ports.free_port())


if __name__ == "__main__":
    unittest.main()
