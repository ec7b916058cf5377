"""A client as one writes it in a hurry. `runproof client -- python3 hasty.py` tells what becomes of it."""

import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ["RUNPROOF_ENDPOINT_URL"]
KEY = os.environ["RUNPROOF_API_KEY"]


def call(path, body=None):
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers)) as reply:
        return json.load(reply)


def submit(prompt):
    for _ in range(3):
        try:
            return call("/run", {"input": {"prompt": prompt}})["id"]
        except OSError:
            time.sleep(1)
    raise SystemExit("the service is down")


job = submit("a cat")
while True:
    try:
        state = call(f"/status/{job}")
    except urllib.error.HTTPError:
        state = {"status": "STARTING"}
    if state["status"] == "COMPLETED":
        print(state["output"])
        break
    if state["status"] == "FAILED":
        raise SystemExit("the job failed")
    time.sleep(0.5)
