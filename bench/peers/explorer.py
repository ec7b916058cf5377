"""A small model of the endpoint, as Hypothesis' manual would test it: a rule-based state machine.

usage: explorer.py EXAMPLES
Each step is one call on a dictionary of jobs; the invariant compares counters. Prints steps and CPU time.
"""

import json
import sys
import time

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule, run_state_machine_as_test

STEPS = {"count": 0}
INPUTS = st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8) | st.none(), max_size=3)


class Endpoint(RuleBasedStateMachine):
    jobs = Bundle("jobs")

    def __init__(self):
        super().__init__()
        self.records = {}
        self.workers = 2
        self.next = 0

    def _dispatch(self):
        running = sum(1 for record in self.records.values() if record["status"] == "IN_PROGRESS")
        for record in self.records.values():
            if running >= self.workers:
                return
            if record["status"] == "IN_QUEUE":
                record["status"] = "IN_PROGRESS"
                running += 1

    @rule(target=jobs, value=INPUTS)
    def run(self, value):
        STEPS["count"] += 1
        self.next += 1
        self.records[self.next] = {"status": "IN_QUEUE", "input": value, "chunks": []}
        self._dispatch()
        return self.next

    @rule(job=jobs)
    def status(self, job):
        STEPS["count"] += 1
        record = self.records.get(job)
        assert record is None or record["status"] in {"IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"}

    @rule(job=jobs, fails=st.booleans())
    def end(self, job, fails):
        STEPS["count"] += 1
        record = self.records.get(job)
        if record is not None and record["status"] == "IN_PROGRESS":
            record["status"] = "FAILED" if fails else "COMPLETED"
            self._dispatch()

    @rule(job=jobs)
    def cancel(self, job):
        STEPS["count"] += 1
        record = self.records.get(job)
        if record is not None and record["status"] in {"IN_QUEUE", "IN_PROGRESS"}:
            record["status"] = "CANCELLED"
            self._dispatch()

    @rule(job=jobs)
    def retry(self, job):
        STEPS["count"] += 1
        record = self.records.get(job)
        if record is not None and record["status"] == "FAILED":
            record["status"] = "IN_QUEUE"
            self._dispatch()

    @rule(job=consumes(jobs))
    def expire(self, job):
        STEPS["count"] += 1
        self.records.pop(job, None)
        self._dispatch()

    @rule()
    def purge(self):
        STEPS["count"] += 1
        self.records = {job: each for job, each in self.records.items() if each["status"] != "IN_QUEUE"}

    @rule()
    def health(self):
        STEPS["count"] += 1
        assert all(each["status"] for each in self.records.values())

    @invariant()
    def no_more_jobs_in_progress_than_workers(self):
        running = [each for each in self.records.values() if each["status"] == "IN_PROGRESS"]
        assert len(running) <= self.workers


def main():
    chosen = settings(
        max_examples=int(sys.argv[1]),
        stateful_step_count=50,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    begun = time.process_time()
    run_state_machine_as_test(Endpoint, settings=chosen)
    print(json.dumps({"units": STEPS["count"], "ms": (time.process_time() - begun) * 1000}))


main()
