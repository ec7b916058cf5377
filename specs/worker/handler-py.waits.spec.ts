/** `scenarios/worker/handler.py` does what our own scripted worker does, plan by plan. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { NO_INCREMENTAL_RESULTS, WORKER_FAILED } from '../../src/oracle/observed/worker-prediction.js';
import { expected, JOBS } from './plans.js';

const HANDLER = fileURLToPath(new URL('../../scenarios/worker/handler.py', import.meta.url));
const PYTHON = spawnSync('python3', ['--version']).status === 0;

/** Runs jobs on a virtual clock, and returns what was done when. */
const PROGRAM = `
import asyncio, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
handler = importlib.util.module_from_spec(spec)
spec.loader.exec_module(handler)

class Died(BaseException):
    pass

async def run_job(job):
    log, slept = [], [0]
    async def sleep(seconds):
        slept[0] += round(seconds * 1000)
    async def emit(output, metrics=None):
        log.append([slept[0], "stream", output, *([] if metrics is None else [metrics])])
        slept[0] = 0
    def crash():
        raise Died()
    try:
        work = handler.work(job, job["ranBefore"], emit, crash, sleep)
        output = await asyncio.wait_for(work, 0.2)
        log.append([slept[0], "success", output])
    except asyncio.TimeoutError:
        pass
    except handler.HandlerError as error:
        log.append([slept[0], "error", None])
    except Died:
        log.append([slept[0], "crash", None])
    return log

async def main():
    return [await run_job(job) for job in json.load(sys.stdin)]

json.dump(asyncio.run(main()), sys.stdout)
`;

describe.skipIf(!PYTHON)('handler.py (needs python3)', () => {
  it(`follows ${JOBS.length} plans as our scripted worker does`, () => {
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', PROGRAM, HANDLER], {
      input: JSON.stringify(JOBS),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(stderr).toBe('');
    const log = JSON.parse(stdout) as Json[];
    for (const [index, job] of JOBS.entries()) {
      expect([job, log[index]]).toEqual([job, expected(job)]);
    }
  }, 60_000);

  it('splits a long string into pieces that add up to it', () => {
    const check = `
import importlib.util, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
handler = importlib.util.module_from_spec(spec)
spec.loader.exec_module(handler)
text = "é😀x" * 400_000
parts = handler.pieces(text)
assert "".join(parts) == text and all(len(part.encode()) <= 1_000_000 for part in parts), len(parts)
assert handler.pieces({"a": text}) == [{"a": text}] and handler.pieces("") == [""]
`;
    expect(spawnSync('python3', ['-B', '-c', check, HANDLER], { encoding: 'utf8' }).stderr).toBe('');
  }, 60_000);

  it('says that it failed by itself where no plan asks for it', () => {
    const check = `
import asyncio, importlib.util, os, sys
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
handler = importlib.util.module_from_spec(spec)
spec.loader.exec_module(handler)
os.environ[handler.MEMORY] = "/nowhere"
for plan in ([{"return": 1}], [{"fail": "planned"}]):
    try:
        asyncio.run(handler.handler({"id": "job", "input": {"plan": plan}}))
    except RuntimeError as error:
        assert str(error).startswith("the scripted worker itself failed: "), error
    else:
        raise AssertionError("it went on")
handler.remember = lambda _id: False
try:
    asyncio.run(handler.handler({"id": "job", "input": {"plan": [{"fail": "planned"}]}}))
except handler.HandlerError as error:
    assert str(error) == "planned", error
`;
    expect(spawnSync('python3', ['-B', '-c', check, HANDLER], { encoding: 'utf8' }).stderr).toBe('');
  }, 60_000);

  it('reports that a server without an address for incremental results accepts none', () => {
    const check = `
import asyncio, importlib.util, os, sys, tempfile
spec = importlib.util.spec_from_file_location("handler", sys.argv[1])
handler = importlib.util.module_from_spec(spec)
spec.loader.exec_module(handler)
os.environ[handler.MEMORY] = tempfile.mkdtemp()
os.environ.pop(handler.STREAM_ADDRESS, None)
try:
    asyncio.run(handler.handler({"id": "job", "input": {"plan": [{"stream": 1}]}}))
except handler.HandlerError as error:
    assert "RUNPOD_WEBHOOK_POST_STREAM is not set" in str(error), error
else:
    raise AssertionError("it went on")
`;
    expect(spawnSync('python3', ['-B', '-c', check, HANDLER], { encoding: 'utf8' }).stderr).toBe('');
  }, 60_000);
});

it('reports what it failed at by itself in the words that the oracle knows', () => {
  expect(readFileSync(HANDLER, 'utf8')).toContain(`RuntimeError(f"${WORKER_FAILED}: `);
  expect(readFileSync(HANDLER, 'utf8')).toContain(`HandlerError(f"${NO_INCREMENTAL_RESULTS}: `);
});
