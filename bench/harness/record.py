"""Runs as they were measured, written after each one, so that a run that was broken off is gone on with."""
import hashlib
import json
import os
import time

from . import machine, places

# Of the record's content: one of an older form lacks what the report asks for.
FORM = 2


def digest(path):
    """The SHA-256 of a file; nothing when it is not there."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Record:
    """The results of one jar, in one JSON file: of each part what was measured last.

    Invariant: everything in it is of one jar and form; another one of either begins a new record."""

    def __init__(self, path):
        self.path = path
        jar = digest(places.JAR)
        self.data = {"form": FORM, "jar": jar, "began": _now(),
                     "machine": machine.identity(), "load": {}, "absent": {}, "discarded": []}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = json.load(file)
            if (old.get("form"), old.get("jar")) == (FORM, jar):
                self.data = old

    def forget_load(self):
        """A load that does not go on with the last one begins without its runs."""
        self.data.update(load={}, discarded=[], began=_now())

    def runs(self, workload, server):
        return self.data["load"].setdefault(workload, {}).setdefault(server, [])

    def has(self, workload, server, rep):
        return any(run["rep"] == rep for run in self.runs(workload, server))

    def add(self, workload, server, run):
        self.runs(workload, server).append(run)
        self.save()

    def put(self, name, value):
        self.data[name] = value
        self.save()

    def save(self):
        """Replaces the file as a whole: it is never half written."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        new = self.path + ".new"
        with open(new, "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=1)
        os.replace(new, self.path)


class Section:
    """A part of a record that holds runs as the record of a load does, apart from it."""

    def __init__(self, record, place, name, resume=False):
        self._record = record
        fresh = {"load": {}, "absent": {}, "discarded": []}
        self.data = place.get(name, fresh) if resume else fresh
        place[name] = self.data

    def has(self, workload, server, rep):
        return any(run["rep"] == rep for run in self.data["load"].get(workload, {}).get(server, []))

    def add(self, workload, server, run):
        self.data["load"].setdefault(workload, {}).setdefault(server, []).append(run)
        self._record.save()

    def put(self, name, value):
        self.data[name] = value
        self._record.save()
