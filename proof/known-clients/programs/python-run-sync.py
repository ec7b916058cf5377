import os

import runpod

runpod.api_key = os.environ["RUNPOD_API_KEY"]
endpoint = runpod.Endpoint(os.environ["RUNPOD_ENDPOINT_ID"])
print(endpoint.run_sync({"input": {"prompt": "a cat"}}, timeout=25))
