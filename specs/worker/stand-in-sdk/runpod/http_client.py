import asyncio
import os
import urllib.error
import urllib.request


class AsyncClientSession:
    """What `aiohttp` is to the SDK, as far as it is needed: calls that carry the bare key."""

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None

    async def call(self, method, url, text=None, headers=None):
        return await asyncio.to_thread(self._call, method, url, text, headers or {})

    def _call(self, method, url, text, headers):
        key = os.environ["RUNPOD_AI_API_KEY"]
        fields = {"Content-Type": "application/json", "Authorization": key, **headers}
        data = None if text is None else text.encode()
        request = urllib.request.Request(url, data=data, headers=fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as reply:
                return reply.status, reply.headers.get("Content-Type"), reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, None, ""
