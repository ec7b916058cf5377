"""
Test control, version 1, in one file: an example to copy from. Python 3.8 or later, standard library only.

    RUNPROOF_API_KEY=secret python3 examples/test-control/server.py 8080
    RUNPROOF_API_KEY=secret npx runproof check-control http://127.0.0.1:8080/_control

Of the job API it has what shows time: /run, /runsync, /status, /cancel, /health; ttl, executionTimeout and
retention; steps sleepMs, return, echo, fail and hang of the scripted worker. It has no webhooks, streams,
retries or rate limits: it is no complete service.

The idea: the service never reads a clock of the machine. It reads `now_ms` and files everything that happens
later in one list, ordered by time. `advance` goes through that list. An endpoint with a clock of its own has
its own list. One lock guards everything; a waiting /runsync sleeps on a condition of that lock.
"""
import heapq
import itertools
import json
import os
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

KEY = os.environ.get("RUNPROOF_API_KEY", "secret")
DAY = 86_400_000

lock = threading.Condition()
numbers = itertools.count()
endpoints = {}


def is_count(value):
    return type(value) is int and value >= 0


def is_policy(policy):
    policy = {} if policy is None else policy
    if not isinstance(policy, dict):
        return False
    ttl, limit = policy.get("ttl", DAY), policy.get("executionTimeout", 600_000)
    within = lambda ms, least: is_count(ms) and least <= ms <= 7 * DAY
    return within(ttl, 10_000) and within(limit, 5_000)


# --- the clock ----------------------------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.now_ms = 0
        self.agenda = []  # (at_ms, number, act, state); of equal times, the one filed first
        self.waiters = []  # one for each waiting /runsync: {"answer": (status, body), "due": it may be sent}

    def later(self, ms, act):
        """Files `act`; returns a function that takes it back."""
        state = {"stopped": False}
        heapq.heappush(self.agenda, (self.now_ms + ms, next(numbers), act, state))
        return lambda: state.update(stopped=True)

    def next_event(self):
        while self.agenda and self.agenda[0][3]["stopped"]:
            heapq.heappop(self.agenda)
        return self.agenda[0][0] if self.agenda else None

    def advance(self, by_ms):
        """Rule 2: one by one, each at its own instant, and what it causes before what comes later."""
        until_ms = self.now_ms + by_ms
        while self.next_event() is not None and self.next_event() <= until_ms:
            at_ms, _, act, _ = heapq.heappop(self.agenda)
            self.now_ms = at_ms
            act()
        self.now_ms = until_ms
        # Waiting calls have been answered when this returns.
        lock.wait_for(lambda: all(not waiter["due"] for waiter in self.waiters), timeout=10)
        return until_ms


server_clock = Clock()
clocks = {}  # rule 9: the clocks that endpoints have named, while one of them is there


# --- the service --------------------------------------------------------------------------------------

class Endpoint:
    def __init__(self, name, workers, clock):
        self.name, self.workers, self.clock = name, workers, clock
        self.received = self.running = 0
        self.queue, self.jobs = [], {}

    def submit(self, body, is_sync):
        policy = body.get("policy") or {}
        job = Job(self.clock, body["input"], is_sync, policy.get("executionTimeout", 600_000))
        self.jobs[job.id] = job
        self.queue.append(job)
        job.stop_ttl = self.clock.later(policy.get("ttl", DAY), lambda: self.remove(job))
        self.dispatch()
        return job

    def dispatch(self):
        while self.queue and self.running < self.workers:
            job = self.queue.pop(0)
            self.running += 1
            job.status, job.started_ms = "IN_PROGRESS", self.clock.now_ms
            job.timers.append(self.clock.later(job.limit_ms, lambda job=job: self.end(job, "TIMED_OUT")))
            self.follow(job, 0)

    def follow(self, job, index):
        """The scripted worker: one step of the plan, then the next."""
        plan = job.input.get("plan")
        if plan is None:
            return self.end(job, "COMPLETED", {"echo": job.input})
        if index == len(plan):
            return self.end(job, "COMPLETED", {"ok": True})
        step = plan[index]
        if "sleepMs" in step:
            job.timers.append(self.clock.later(step["sleepMs"], lambda: self.follow(job, index + 1)))
        elif "return" in step:
            self.end(job, "COMPLETED", step["return"])
        elif "echo" in step:
            self.end(job, "COMPLETED", job.input)
        elif "fail" in step or "crash" in step:
            self.end(job, "FAILED")
        elif "hang" not in step:
            # What needs /stream or a webhook to be seen is left out.
            self.follow(job, index + 1)

    def leave(self, job):
        for stop in job.timers:
            stop()
        job.timers = []
        if job.status == "IN_PROGRESS":
            self.running -= 1
        if job in self.queue:
            self.queue.remove(job)

    def end(self, job, status, output=None):
        self.leave(job)
        job.status, job.output, job.ended_ms = status, output, self.clock.now_ms
        job.answer_waiting(200, job.record())
        # Results are kept for 30 minutes, those of /runsync for one.
        kept_ms = 60_000 if job.is_sync else 1_800_000
        job.timers.append(self.clock.later(kept_ms, lambda: self.remove(job)))
        self.dispatch()

    def remove(self, job):
        self.leave(job)
        job.stop_ttl()
        self.jobs.pop(job.id, None)
        job.answer_waiting(404, {"error": "no such job"})
        self.dispatch()

    def empty(self):
        """Rule 6: waiting calls are answered with 404."""
        self.workers = 0
        for job in list(self.jobs.values()):
            self.remove(job)

    def health(self):
        def count(*statuses):
            return sum(job.status in statuses for job in self.jobs.values())

        jobs = {
            "completed": count("COMPLETED"),
            "failed": count("FAILED", "TIMED_OUT"),
            "inProgress": count("IN_PROGRESS"),
            "inQueue": count("IN_QUEUE"),
            "retried": 0,
        }
        return {"jobs": jobs, "workers": {"idle": max(0, self.workers - self.running), "running": self.running}}

    def shown(self):
        return {"endpointId": self.name, "workers": self.workers, "received": self.received}


class Job:
    def __init__(self, clock, data, is_sync, limit_ms):
        self.clock = clock
        self.id, self.input, self.is_sync, self.limit_ms = str(uuid.uuid4()), data, is_sync, limit_ms
        self.status, self.output = "IN_QUEUE", None
        self.submitted_ms, self.started_ms, self.ended_ms = clock.now_ms, None, None
        self.timers, self.waiting = [], []

    def answer_waiting(self, status, body):
        for waiter in self.waiting:
            waiter.update(answer=(status, body), due=True)
        self.waiting = []
        lock.notify_all()

    def record(self):
        started = self.started_ms if self.started_ms is not None else self.clock.now_ms
        ended = self.ended_ms if self.ended_ms is not None else self.clock.now_ms
        times = {"delayTime": started - self.submitted_ms, "executionTime": ended - started}
        output = {} if self.output is None else {"output": self.output}
        return {"id": self.id, "status": self.status, **output, **times}


def forget_clocks():
    """Rule 9: a clock goes with its last endpoint."""
    used = [endpoint.clock for endpoint in endpoints.values()]
    for name in [name for name, clock in clocks.items() if clock not in used]:
        del clocks[name]


# --- HTTP ---------------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Header and body leave in one packet.
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self, status, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def handle_call(self):
        text = self.rfile.read(int(self.headers.get("content-length") or 0))
        key = self.headers.get("authorization") or ""
        if (key[7:] if key.startswith("Bearer ") else key) != KEY:
            return self.answer(401, {"error": "a valid API key is needed"})
        try:
            body = json.loads(text) if text else None
        except ValueError:
            return self.answer(400, {"error": "the body is not JSON"})
        address = urlsplit(self.path)
        first, *rest = [unquote(part) for part in address.path.split("/") if part] or [""]
        with lock:
            if first == "_control":
                return self.answer(*self.control(rest, body))
            endpoint = endpoints.get(rest[0]) if first == "v2" and rest else None
            if endpoint is None:
                return self.answer(404, {"error": "no such endpoint"})
            query = parse_qs(address.query)
            return self.api(endpoint, rest[1:] + [None], query, body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_call

    def api(self, endpoint, path, query, body):
        endpoint.received += 1
        operation, job = path[0], endpoint.jobs.get(path[1]) if len(path) > 1 else None
        if operation in ("run", "runsync"):
            if not isinstance(body, dict) or not isinstance(body.get("input"), dict):
                return self.answer(400, {"error": "input is missing"})
            if not is_policy(body.get("policy")):
                return self.answer(400, {"error": "the policy is out of bounds"})
            made = endpoint.submit(body, operation == "runsync")
            if operation == "run":
                return self.answer(200, {"id": made.id, "status": "IN_QUEUE"})
            if made.ended_ms is not None:
                return self.answer(200, made.record())
            return self.wait_for(made, int(query.get("wait", [90_000])[0]))
        if operation == "health":
            return self.answer(200, endpoint.health())
        if job is None:
            return self.answer(404, {"error": "no such job"})
        if operation == "status":
            return self.answer(200, job.record())
        if operation == "cancel":
            if job.ended_ms is None:
                endpoint.end(job, "CANCELLED")
            return self.answer(200, {"id": job.id, "status": job.status})
        return self.answer(404, {"error": "no such operation"})

    def wait_for(self, job, wait_ms):
        """The call waits on the clock of the endpoint; the lock is free meanwhile."""
        waiter = {"answer": None, "due": False}
        job.clock.waiters.append(waiter)
        job.waiting.append(waiter)
        stop = job.clock.later(wait_ms, lambda: job.answer_waiting(200, job.record()))
        lock.wait_for(lambda: waiter["due"])
        stop()
        try:
            self.answer(*waiter["answer"])
        finally:
            job.clock.waiters.remove(waiter)
            lock.notify_all()

    def control(self, path, body):
        what, name, act = (path + ["", "", ""])[:3]
        body = body if isinstance(body, dict) else {}
        if what == "":
            return 200, {"protocol": "test-control/1", "features": ["clock", "endpoints", "endpoint-clocks"]}
        if what == "clock":
            return self.control_clock(server_clock, name, body)
        if what == "clocks":
            return self.control_clock(clocks.get(name), act, body)
        if what != "endpoints" or not name:
            return 404, {"error": "no such call"}
        endpoint, has_workers = endpoints.get(name), is_count(body.get("workers"))
        if self.command == "PUT":
            if not has_workers:
                return 400, {"error": "workers must be an integer from 0"}
            clock = body.get("clock")
            if "clock" in body and (not isinstance(clock, str) or clock == ""):
                return 400, {"error": "clock must be a name"}
            if endpoint is not None:
                endpoint.empty()
            on = server_clock if clock is None else clocks.setdefault(clock, Clock())
            endpoints[name] = Endpoint(name, body["workers"], on)
            forget_clocks()
            return 200, endpoints[name].shown()
        if endpoint is None:
            return 404, {"error": "no such endpoint"}
        if self.command == "GET":
            return 200, endpoint.shown()
        if self.command == "DELETE":
            endpoint.empty()
            del endpoints[name]
            forget_clocks()
            return 204, None
        if not has_workers:
            return 400, {"error": "workers must be an integer from 0"}
        # Running jobs finish first: `dispatch` only looks at how many run.
        endpoint.workers = body["workers"]
        endpoint.dispatch()
        return 200, endpoint.shown()

    def control_clock(self, clock, act, body):
        if clock is None:
            return 404, {"error": "no such clock"}
        call = f"{self.command} {act}"
        if call == "GET ":
            return 200, {"nowMs": clock.now_ms, "nextEventAtMs": clock.next_event()}
        if call != "POST advance":
            return 404, {"error": "no such call"}
        if not is_count(body.get("byMs")):
            return 400, {"error": "byMs must be an integer from 0"}
        return 200, {"nowMs": clock.advance(body["byMs"])}

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/_control", flush=True)
    server.serve_forever()
