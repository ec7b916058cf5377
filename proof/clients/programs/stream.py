"""Submits a job and prints its chunks as they come, over one connection. Exit code 0: it completed."""

import http.client
import json
import os
import sys
import time
from urllib.parse import urlsplit

BASE = urlsplit(os.environ["RUNPROOF_ENDPOINT_URL"])
HEADERS = {"authorization": os.environ["RUNPROOF_API_KEY"]}
FINAL = ("COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT")


class Refused(Exception):
    def __init__(self, code):
        super().__init__(f"HTTP {code}")
        self.code = code


class Client:
    def __init__(self):
        self.connection = http.client.HTTPConnection(BASE.hostname, BASE.port, timeout=10)

    def once(self, method, path, body):
        headers = dict(HEADERS)
        if body is not None:
            headers["content-type"] = "application/json"
        try:
            self.connection.request(method, BASE.path + path, body, headers)
            reply = self.connection.getresponse()
            return reply.status, float(reply.headers.get("retry-after") or 0), reply.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def call(self, method, path, body=None, submits=False):
        spent, attempt = 0.0, 0
        while True:
            told = 0.0
            try:
                code, told, text = self.once(method, path, body)
                if code < 300:
                    return json.loads(text)
                failure = Refused(code)
                again = code == 429 or (code >= 500 and not submits)
            except (OSError, http.client.HTTPException) as error:
                failure = error
                again = not submits or isinstance(error, ConnectionRefusedError)
            pause = max(min(4, 0.25 * 2**attempt), told)
            if not again or spent + pause > 12:
                raise failure
            time.sleep(pause)
            spent += pause
            attempt += 1


def chunks_in(body):
    return body if isinstance(body, list) else body.get("stream", [])


def follow(client, job):
    began = time.monotonic()
    known = False
    while time.monotonic() - began < 20:
        try:
            chunks = chunks_in(client.call("GET", f"/stream/{job}"))
            known = True
            for chunk in chunks:
                print(json.dumps(chunk), flush=True)
            if not chunks:
                status = client.call("GET", f"/status/{job}")["status"]
                if status in FINAL:
                    for chunk in chunks_in(client.call("GET", f"/stream/{job}")):
                        print(json.dumps(chunk))
                    return status
        except Refused as error:
            if error.code != 404:
                raise
            if known or time.monotonic() - began > 2:
                return "GONE"
        time.sleep(0.2)
    raise TimeoutError(job)


def main():
    client = Client()
    job = client.call("POST", "/run", json.dumps({"input": {"prompt": "a fjord"}}), submits=True)["id"]
    try:
        status = follow(client, job)
    except Exception:
        try:
            client.call("POST", f"/cancel/{job}")
        except Exception as error:
            print(f"not cancelled: {error}", file=sys.stderr)
        raise
    print(status, file=sys.stderr)
    return 0 if status == "COMPLETED" else 2


if __name__ == "__main__":
    sys.exit(main())
