/** A client that `runproof client -- node careful.mjs` finds nothing wrong with. */
import { setTimeout as sleep } from 'node:timers/promises';

const { RUNPROOF_ENDPOINT_URL: url, RUNPROOF_API_KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const ATTEMPTS_MAX = 7;
const GIVES_UP_MS = 20_000;

/** The reply, whatever its code. What is safe to repeat is repeated, each time after a longer pause. */
async function call(method, path, body) {
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await fetch(url + path, request)
      .then(async (got) => ({
        code: got.status,
        after: got.headers.get('retry-after'),
        text: await got.text(),
      }))
      .catch((error) => ({ code: 0, after: null, text: error.message }));
    const refusedForNow = reply.code === 429 || reply.code === 503;
    // A submission whose outcome is not known is not sent again: it would be a second job.
    const again = refusedForNow || (method === 'GET' && (reply.code === 0 || reply.code >= 500));
    if (!again || attempt === ATTEMPTS_MAX) return reply;
    await sleep(Math.max(1_000 * Number(reply.after ?? 0), 100 * 2 ** attempt));
  }
}

const submitted = await call('POST', '/run', { input: { prompt: 'a cat' } });
if (submitted.code !== 200) throw new Error(`the job was not accepted: ${submitted.code} ${submitted.text}`);
const { id } = JSON.parse(submitted.text);

let why = 'it took too long';
for (const endMs = Date.now() + GIVES_UP_MS; Date.now() < endMs; await sleep(400)) {
  const reply = await call('GET', `/status/${id}`);
  if (reply.code === 404) throw new Error('the job is gone');
  if (reply.code !== 200) {
    why = `it cannot be asked for: ${reply.code}`;
    break;
  }
  const { status, output, error } = JSON.parse(reply.text);
  if (status === 'COMPLETED') {
    console.log(output);
    process.exit(0);
  }
  if (['FAILED', 'CANCELLED', 'TIMED_OUT'].includes(status))
    throw new Error(`the job is ${status}: ${error}`);
}
await call('POST', `/cancel/${id}`);
throw new Error(`the job was given up: ${why}`);
