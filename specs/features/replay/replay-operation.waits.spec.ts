/** An operation that the server does not have: one call of it proves nothing, so that the script is played several times. */
import { expect, it } from 'vitest';
import { plainEndpoint } from '../../../examples/in-process/plain-endpoint/index.js';
import { replay, type ReplayResult } from '../../../src/features/replay/replay.js';
import { fetchTarget } from '../../../src/index.js';
import { drawScript } from '../../../src/scenario/draw.js';
import type { Script } from '../../../src/scenario/index.js';
import { named } from '../../../scenarios/index.js';

const SEED = 1;

/** Replays a script in which this operation is called once. @param missing what the server answers as an unknown path */
async function replayed(op: string, missing: string | null): Promise<ReplayResult> {
  const target = fetchTarget(
    {
      fresh: ({ endpoint, secondEndpoint, workers, apiKey }) => {
        const right = plainEndpoint({
          endpoints: secondEndpoint === null ? [endpoint] : [endpoint, secondEndpoint],
          workers,
          apiKey: apiKey ?? '',
        });
        return {
          ...right,
          fetch: (request: Request) =>
            new URL(request.url).pathname.split('/')[3] === missing
              ? new Response('<pre>Cannot find it</pre>', { status: 404 })
              : right.fetch(request),
        };
      },
    },
    { worker: 'scripted' },
  );
  const script: Script = drawScript(
    named.find(({ name }) => name === '1/every-operation-once')!,
    SEED,
    target.limits,
  );
  const saved = { requirements: [`4/operation-${op}`], edition: null, runSeed: null, found: null };
  try {
    return await replay(target, { script, ...saved });
  } finally {
    await target.close();
  }
}

it.each(['health', 'cancel', 'runsync'])('/%s: FAILED, and FIXED once it is there', async (op) => {
  const failed = await replayed(op, op);
  expect(failed).toMatchObject({ word: 'FAILED', exitCode: 1 });
  expect(failed.failed[0]?.id).toBe(`4/operation-${op}`);
  expect(await replayed(op, null)).toMatchObject({
    word: 'FIXED',
    told: `4/operation-${op} (passed in each of 3 runs)`,
    exitCode: 0,
  });
});
