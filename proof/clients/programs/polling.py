"""Submits a job and polls its status. Exit code 0: it completed."""

import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ["RUNPROOF_ENDPOINT_URL"]
KEY = os.environ["RUNPROOF_API_KEY"]
FINAL = {"COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"}
DEADLINE_S = 20
RETRY_FOR_S = 15


class Gone(Exception):
    pass


def call(method, path, body=None, repeatable=True, timeout=15):
    """The JSON of a 2xx answer. Waits longer and longer after 429, and after 5xx and broken connections."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {KEY}"}
    if data is not None:
        headers["Content-Type"] = "application/json"
    give_up = time.monotonic() + RETRY_FOR_S
    pause = 0.25
    while True:
        told = 0.0
        try:
            request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                return json.loads(reply.read())
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 404:
                raise Gone(path) from error
            if error.code != 429 and not (repeatable and error.code >= 500):
                raise
            told = float(error.headers.get("Retry-After") or 0)
            failure = error
        except urllib.error.URLError as error:
            if not repeatable and not isinstance(error.reason, ConnectionRefusedError):
                raise
            failure = error
        except Exception as error:  # a reply that ends in its middle
            if not repeatable:
                raise
            failure = error
        wait = max(pause, told)
        if time.monotonic() + wait > give_up:
            raise failure
        time.sleep(wait)
        pause = min(4, 2 * pause)


def wait_for(job):
    began = time.monotonic()
    known = False
    while time.monotonic() - began < DEADLINE_S:
        try:
            record = call("GET", f"/status/{job}")
            known = True
            if record["status"] in FINAL:
                return record
        except Gone:
            if known or time.monotonic() - began > 2:
                raise
        time.sleep(0.3)
    raise TimeoutError(job)


def main():
    job = call("POST", "/run", {"input": {"prompt": "a fjord"}}, repeatable=False)["id"]
    try:
        record = wait_for(job)
    except Gone:
        print("the job is gone", file=sys.stderr)
        return 3
    except Exception:
        try:
            call("POST", f"/cancel/{job}")
        except Exception as error:
            print(f"not cancelled: {error}", file=sys.stderr)
        raise
    print(record["status"], str(record.get("output"))[:60])
    return 0 if record["status"] == "COMPLETED" else 2


if __name__ == "__main__":
    sys.exit(main())
