"""A client's test in Python: a job of nine minutes, waited for in no time."""

from conftest import API_KEY, post

import json
import urllib.request


def status_of(url: str, job: str) -> dict:
    request = urllib.request.Request(f"{url}/status/{job}", headers={"authorization": API_KEY})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def test_a_job_of_nine_minutes(emulator):
    plan = [{"sleepMs": 540_000}, {"return": {"sum": 6}}]
    job = post(f"{emulator.url}/run", {"input": {"plan": plan}})["id"]
    assert status_of(emulator.url, job)["status"] == "IN_PROGRESS"
    emulator.advance(540_000)
    assert status_of(emulator.url, job)["output"] == {"sum": 6}
