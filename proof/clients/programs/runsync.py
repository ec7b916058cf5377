"""Runs a job with /runsync, and polls if it is answered before the end. Exit code 0: it completed."""

import json
import sys
import time

from polling import FINAL, Gone, call, wait_for


def main():
    # Waits for longer than the service does.
    body = {"input": {"prompt": "a fjord"}}
    record = call("POST", "/runsync?wait=60000", body, repeatable=False, timeout=75)
    job = record["id"]
    if record["status"] not in FINAL:
        time.sleep(0.5)
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
    print(json.dumps(record)[:100])
    return 0 if record["status"] == "COMPLETED" else 2


if __name__ == "__main__":
    sys.exit(main())
