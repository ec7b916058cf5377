import os

import runpod

runpod.api_key = os.environ["RUNPOD_API_KEY"]
endpoint = runpod.Endpoint(os.environ["RUNPOD_ENDPOINT_ID"])
job = endpoint.run({"input": {"prompt": "a cat"}})
for part in job.stream():
    print(part)
