"""A fixture for pytest: the emulator as a process of its own, with a clock that the test moves."""

import json
import os
import re
import signal
import subprocess
import urllib.request

import pytest

API_KEY = "runproof-local"


class Emulator:
    def __init__(self, url: str, control_url: str):
        self.url = url
        self._control_url = control_url

    def advance(self, ms: int) -> int:
        """Moves the clock of the endpoint; returns its new time in ms."""
        return post(f"{self._control_url}/clock/advance", {"byMs": ms})["nowMs"]


def post(url: str, body: dict) -> dict:
    headers = {"authorization": API_KEY, "content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


@pytest.fixture
def emulator():
    command = ["npx", "runproof", "serve", "--port", "0", "--clock", "controlled"]
    # npx starts the server as a process of its own: both are in one group, and end together.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        url = control_url = None
        for line in process.stdout:
            url = url or _address("serving ", line)
            control_url = control_url or _address("test control at ", line)
            if url and control_url:
                break
        else:
            pytest.fail("runproof serve has ended")
        yield Emulator(url, control_url)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _address(before: str, line: str):
    found = re.match(before + r"(\S+)", line)
    return found and found[1]
