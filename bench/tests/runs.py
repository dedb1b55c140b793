"""Runs as the parts leave them in a record."""


def idle_run(rep, each=3.0, heap=1.5, **changes):
    """Connections at rest on a quiet machine."""
    return {"rep": rep, "connections": 5000, "pss_before_mib": 80, "pss_after_mib": 95, "pss_kib_each": each,
            "heap_kib_each": heap, "grown": [], "level": True, "came_or_went": 0, "foreign": 0.0, "steal": 0.0, **changes}
