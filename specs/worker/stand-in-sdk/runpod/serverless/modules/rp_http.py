import json
import os

POD = os.environ.get("RUNPOD_POD_ID", "")
DONE_URL = os.environ.get("RUNPOD_WEBHOOK_POST_OUTPUT", "").replace("$RUNPOD_POD_ID", POD)
STREAM_URL = os.environ.get("RUNPOD_WEBHOOK_POST_STREAM", "").replace("$RUNPOD_POD_ID", POD)


async def post(session, url, body, job, is_stream):
    address = f"{url.replace('$ID', job['id'])}&isStream={'true' if is_stream else 'false'}"
    form = {"charset": "utf-8", "Content-Type": "application/x-www-form-urlencoded", "X-Request-ID": job["id"]}
    await session.call("POST", address, json.dumps(body, ensure_ascii=False), form)


async def send_result(session, job_data, job, is_stream=False):
    await post(session, DONE_URL, job_data, job, is_stream)


async def stream_result(session, job_data, job):
    await post(session, STREAM_URL, job_data, job, False)
