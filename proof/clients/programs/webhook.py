"""Submits a job with a webhook, receives it, and polls if none comes. Exit code 0: the job completed."""

import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from polling import FINAL, Gone, call

ended = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        record = json.loads(body)
        if record.get("id") not in self.seen:  # it may be called several times
            self.seen.add(record.get("id"))
            ended.put(record)

    def log_message(self, *_):
        pass


def result_of(job):
    """Asks when a webhook has arrived, and every two seconds without one."""
    began = time.monotonic()
    known = False
    while time.monotonic() - began < 20:
        try:
            ended.get(timeout=2)
        except queue.Empty:
            pass
        try:
            record = call("GET", f"/status/{job}")
            known = True
            if record["status"] in FINAL:
                return record
        except Gone:
            if known or time.monotonic() - began > 2:
                raise
            time.sleep(0.5)
            ended.put({})
    raise TimeoutError(job)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["RUNPROOF_WEBHOOK_PORT"])), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    webhook = os.environ["RUNPROOF_WEBHOOK_URL"] + "/jobs"
    job = call("POST", "/run", {"input": {"prompt": "a fjord"}, "webhook": webhook}, repeatable=False)["id"]
    try:
        record = result_of(job)
    except Gone:
        print("the job is gone", file=sys.stderr)
        return 3
    except Exception:
        try:
            call("POST", f"/cancel/{job}")
        except Exception as error:
            print(f"not cancelled: {error}", file=sys.stderr)
        raise
    finally:
        server.shutdown()
    print(record["status"])
    return 0 if record["status"] == "COMPLETED" else 2


if __name__ == "__main__":
    sys.exit(main())
