"""The scripted worker (contract `scripted-worker`, version 1) for the official Python SDK.

    pip install runpod
    python handler.py

On the platform it is the start command of an image. Elsewhere it wants the environment that `runproof serve` prints.

The SDK decides by the function whether a handler streams, and gives the output of one that does as a list. A plan may
stream or not, so this handler is no generator: it posts its chunks itself, by the function that the SDK uses for it.
Where the SDK knows no way to stop a job, a worker goes on until its plan is over.
"""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from urllib.parse import quote

# The chunk size: a longer string is sent in parts; no character takes more than four bytes.
CHUNK_CHARACTERS_MAX = 250_000
# The longest string that a plan may request; beyond it, the step is a handler error, not an outage.
STRING_BYTES_MAX = 256 * 1024 * 1024
SLEEP_AT_ONCE_MAX_S = 86_400
INTEGER_MAX = 2**53 - 1

# A worker process that dies says so to the process that starts a fresh one.
CRASHED = 86
IS_WORKER = "RUNPROOF_IS_WORKER"
MEMORY = "RUNPROOF_WORKER_MEMORY"
# Where the SDK posts incremental results; `serve` prints it.
STREAM_ADDRESS = "RUNPOD_WEBHOOK_POST_STREAM"


class HandlerError(Exception):
    """The plan fails, or is wrong."""


class Whole(dict):
    """An output that the SDK passes on unchanged: it would turn a member `error` into a failure."""

    def pop(self, _key, default=None):
        return default


def count_in(name, argument):
    """An integer from 0; JSON does not distinguish 2 from 2.0, and `True` is not an integer."""
    whole = isinstance(argument, int) or (isinstance(argument, float) and argument.is_integer())
    if isinstance(argument, bool) or not whole or not 0 <= argument <= INTEGER_MAX:
        raise HandlerError(f"{name} wants an integer from 0")
    return int(argument)


def length_in(name, argument):
    length = count_in(name, argument)
    if length > STRING_BYTES_MAX:
        raise HandlerError(f"{name} wants a length up to {STRING_BYTES_MAX}")
    return length


def has_metrics(argument):
    """Whether it is an output, and metrics: an object of numbers and strings."""
    if not isinstance(argument, dict) or set(argument) != {"output", "metrics"}:
        return False
    metrics = argument["metrics"]
    return isinstance(metrics, dict) and all(
        isinstance(one, (int, float, str)) and not isinstance(one, bool) for one in metrics.values()
    )


async def work(job, ran_before, emit, crash, sleep=asyncio.sleep):
    """Follows the plan in the job's input and gives the output. `emit` takes one incremental result."""
    job_input = job.get("input")
    if not isinstance(job_input, dict):
        return {"echo": job_input}
    member = "planOnRetry" if ran_before and "planOnRetry" in job_input else "plan"
    if member not in job_input:
        return {"echo": job_input}
    plan = job_input[member]
    if not isinstance(plan, list):
        raise HandlerError(f"{member} is not an array")

    for index, step in enumerate(plan):
        if not isinstance(step, dict) or len(step) != 1:
            raise HandlerError(f"step {index} of the plan: not an object of one member")
        ((name, argument),) = step.items()
        if name in ("echo", "s3Config", "crash", "hang") and argument is not True:
            raise HandlerError(f"step {index} of the plan: {name} wants true")

        if name == "sleepMs":
            left_s = count_in(name, argument) / 1000
            while left_s > 0:
                await sleep(min(left_s, SLEEP_AT_ONCE_MAX_S))
                left_s -= SLEEP_AT_ONCE_MAX_S
        elif name == "stream":
            await emit(argument)
        elif name == "streamWithMetrics":
            if not has_metrics(argument):
                raise HandlerError(f"step {index} of the plan: {name} wants an output, and metrics")
            await emit(argument["output"], argument["metrics"])
        elif name == "streamBytes":
            await emit("x" * length_in(name, argument))
        elif name == "return":
            return argument
        elif name == "returnBytes":
            return {"data": "x" * length_in(name, argument)}
        elif name == "echo":
            return job_input
        elif name == "s3Config":
            return {"s3Config": job.get("s3Config")}
        elif name == "fail":
            raise HandlerError(argument if isinstance(argument, str) else "fail wants a message")
        elif name == "crash":
            crash()
            return None
        elif name == "hang":
            await asyncio.Event().wait()
        else:
            raise HandlerError(f"step {index} of the plan: unknown step")
    return {"ok": True}


def pieces(output):
    """Splits an output into chunks: a long string is cut."""
    if not isinstance(output, str) or len(output) <= CHUNK_CHARACTERS_MAX:
        return [output]
    starts = range(0, len(output), CHUNK_CHARACTERS_MAX)
    return [output[start : start + CHUNK_CHARACTERS_MAX] for start in starts]


def remember(job_id):
    """Whether a worker in this place has run the job before."""
    try:
        open(os.path.join(os.environ[MEMORY], quote(job_id, safe="")), "x").close()
        return False
    except FileExistsError:
        return True


def die():
    # The SDK sends heartbeats from a separate process, which must not outlive this one: it would keep the job alive.
    for child in multiprocessing.active_children():
        child.kill()
    os._exit(CRASHED)


async def handler(job):
    """Called by the SDK with each job. A stopped job is cancelled as a task."""
    async with AsyncExitStack() as stack:
        sessions = []

        async def emit(output, metrics=None):
            # A development server has no address for them: without this, the chunk would be lost silently.
            if not os.environ.get(STREAM_ADDRESS):
                raise HandlerError(f"no incremental results here: {STREAM_ADDRESS} is not set")
            from runpod.http_client import AsyncClientSession
            from runpod.serverless.modules.rp_http import stream_result

            if not sessions:
                sessions.append(await stack.enter_async_context(AsyncClientSession()))
            *others, last = pieces(output)
            for piece in others:
                await stream_result(sessions[0], {"output": piece}, job)
            chunk = {"output": last} if metrics is None else {"output": last, "metrics": metrics}
            await stream_result(sessions[0], chunk, job)

        try:
            output = await work(job, remember(job["id"]), emit, die)
        except HandlerError:
            raise
        except Exception as error:
            # No plan asks for it, so no verdict may rest on it: the oracle knows these words.
            raise RuntimeError(f"the scripted worker itself failed: {error!r}") from error
        return Whole(output) if isinstance(output, dict) else output


def supervise():
    """Starts the worker, and a new one whenever it crashes; ends when it ends otherwise."""
    with tempfile.TemporaryDirectory(prefix="runproof-worker-") as folder:
        memory = os.path.join(folder, "memory")
        os.mkdir(memory)
        stopping = []
        while True:
            # The SDK stores its jobs in the working directory: a new worker must not take them for its own.
            place = tempfile.mkdtemp(dir=folder)
            child = subprocess.Popen(
                [sys.executable, os.path.abspath(__file__), *sys.argv[1:]],
                cwd=place,
                env={**os.environ, IS_WORKER: "1", MEMORY: memory},
                start_new_session=True,
            )

            def stop(signum, _frame, child=child):
                stopping.append(signum)
                child.send_signal(signum)

            signal.signal(signal.SIGTERM, stop)
            signal.signal(signal.SIGINT, stop)
            code = child.wait()
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
            if code != CRASHED or stopping:
                return code if code >= 0 else 128 - code


if __name__ == "__main__":
    if IS_WORKER not in os.environ:
        sys.exit(supervise())
    import runpod

    runpod.serverless.start({"handler": handler})
