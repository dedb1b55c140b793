"""What is read from the kernel, and where a JDK is found."""
import os
import subprocess
import sys
import tempfile
import unittest

from harness import jdk, machine

STAT = "cpu  100 20 30 400 5 6 7 250 0 0\ncpu0 50 10 15 200 2 3 3 125 0 0\n"


class Kernel(unittest.TestCase):
    def test_the_parent_is_found_whatever_the_name_of_the_program_is(self):
        self.assertEqual(machine.parent_of("42 (a) S 7 (b)) S 41 42 42 0"), 41)

    def test_steal_is_of_all_processors_together(self):
        self.assertEqual(machine.parse_steal(STAT), 250 / machine.TICKS)
        with self.assertRaises(ValueError):
            machine.parse_steal("intr 1")

    def test_pss_is_not_that_of_pages_of_some_kind(self):
        text = "00400000-7fff r--p 00000000 00:00 0 [rollup]\nRss: 99 kB\nPss:  40 kB\nPss_Anon:  30 kB\nPss_Dirty: 9 kB\n"
        self.assertEqual(machine.parse_pss(text), 40)

    def test_files_without_a_name_are_memory_for_as_long_as_they_are_open(self):
        before = machine.anonymous_kib([os.getpid()])
        descriptor = os.memfd_create("form")
        copy = os.dup(descriptor)
        os.write(descriptor, b"x" * 65536)
        self.assertEqual(machine.anonymous_kib([os.getpid()]) - before, 64)
        os.close(copy)
        os.close(descriptor)
        self.assertEqual(machine.anonymous_kib([os.getpid(), 0]), before)

    def test_cpu_time_of_ended_threads_counts(self):
        spin = "import threading, time\ndef spin():\n  while time.thread_time() < 0.2: pass\n" \
               "t = threading.Thread(target=spin); t.start(); t.join(); print(flush=True); import sys; sys.stdin.read()"
        with subprocess.Popen([sys.executable, "-c", spin], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            self.assertGreater(machine.cpu_seconds([process.pid]), 0.2)
            self.assertIn(process.pid, machine.tree(os.getpid()))
            self.assertIn(process.pid, machine.others({os.getpid()}))
            self.assertNotIn(process.pid, machine.others({process.pid}))
            self.assertIsNotNone(machine.start_of(process.pid))
            process.stdin.close()
        self.assertIsNone(machine.start_of(process.pid))
        self.assertEqual(machine.cpu_seconds([process.pid]), 0)

    def test_compilers_are_known_by_what_the_kernel_keeps_of_their_names(self):
        self.assertTrue(machine.is_compiler("C2 CompilerThre"))
        self.assertTrue(machine.is_compiler("C1 CompilerThre"))
        self.assertFalse(machine.is_compiler("servery-loop-0"))
        self.assertEqual(machine.compiler_seconds([os.getpid()]), 0.0)

    def test_what_others_took_counts_those_that_came_meanwhile(self):
        self.assertAlmostEqual(machine.taken({1: 1.0, 2: 5.0}, {1: 1.5, 3: 0.25}), 0.75)


class Java(unittest.TestCase):
    def test_the_release_is_that_of_the_feature(self):
        self.assertEqual(jdk.major('IMPLEMENTOR="x"\nJAVA_VERSION="25.0.1"\n'), 25)
        self.assertEqual(jdk.major('JAVA_VERSION="1.8.0_392"\n'), 1)
        self.assertEqual(jdk.major("nothing"), 0)

    def test_java_home_is_taken_when_it_will_do(self):
        with tempfile.TemporaryDirectory() as home:
            os.makedirs(os.path.join(home, "bin"))
            with open(os.path.join(home, "bin", "javac"), "w", encoding="ascii") as file:
                os.chmod(file.fileno(), 0o755)
            with open(os.path.join(home, "release"), "w", encoding="ascii") as file:
                file.write('JAVA_VERSION="26"\n')
            self.assertEqual(jdk.find({"JAVA_HOME": home}), home)

    def test_java_home_is_passed_over_when_it_is_too_old_or_no_jdk(self):
        with tempfile.TemporaryDirectory() as home:
            try:
                self.assertNotEqual(jdk.find({"JAVA_HOME": home}), home)
            except jdk.NoJdk as no:
                self.assertIn("25", str(no))
