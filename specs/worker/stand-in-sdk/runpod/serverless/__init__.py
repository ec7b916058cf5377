import asyncio
import inspect
import json
import os
import signal

from ..http_client import AsyncClientSession
from .modules.rp_http import send_result

POD = os.environ.get("RUNPOD_POD_ID", "")
TAKE_URL = os.environ.get("RUNPOD_WEBHOOK_GET_JOB", "").replace("$ID", POD)
STOP_URL = TAKE_URL.replace("/job-take/", "/job-stop/")
PING_URL = os.environ.get("RUNPOD_WEBHOOK_PING", "").replace("$RUNPOD_POD_ID", POD)
PING_S = int(os.environ.get("RUNPOD_PING_INTERVAL", 10000)) // 1000


def start(config):
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    asyncio.run(run(config["handler"]))


async def run(handler):
    tasks = {}
    async with AsyncClientSession() as session:
        await asyncio.gather(take(session, handler, tasks), stop(session, tasks), ping(session, tasks))


async def take(session, handler, tasks):
    while True:
        in_progress = "1" if tasks else "0"
        code, kind, text = await session.call("GET", f"{TAKE_URL}&job_in_progress={in_progress}")
        if code != 200 or kind != "application/json":
            await asyncio.sleep(0.05)
            continue
        job = json.loads(text)
        tasks[job["id"]] = asyncio.create_task(work(session, handler, job))
        await asyncio.wait(tasks.values())
        tasks.clear()


async def work(session, handler, job):
    try:
        output = handler(job)
        output = await output if inspect.isawaitable(output) else output
        result = {"output": output}
        if isinstance(output, dict):
            error = output.pop("error", None)
            output.pop("refresh_worker", None)
            result = {**({"output": output} if output else {}), **({"error": error} if error else {})}
    except Exception as error:
        result = {"error": json.dumps({"error_type": str(type(error)), "error_message": str(error)})}
    await send_result(session, result, job)


async def stop(session, tasks):
    while True:
        code, _, text = await session.call("GET", STOP_URL)
        for job in json.loads(text)["jobsToStop"] if code == 200 else []:
            if job in tasks:
                tasks[job].cancel()
        await asyncio.sleep(0.05)


async def ping(session, tasks):
    while True:
        named = f"job_id={','.join(tasks)}&" if tasks else ""
        await session.call("GET", f"{PING_URL}?{named}runpod_version=stand-in")
        await asyncio.sleep(PING_S)
