/**
 * `kill -9` at random moments loses nothing that was acknowledged to a client. `WHOLE=1` does it 200 times.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileServer, type Compiled } from './kill/compiled.js';
import { killAgainAndAgain } from './kill/kill.js';
import { WHOLE } from '../support/whole.js';

const KILLS = Number(process.env['KILLS'] ?? (WHOLE ? 200 : 6));
const SEED = Number(process.env['KILL_SEED'] ?? 1);

let compiled: Compiled;
let root: string;
beforeAll(async () => {
  compiled = await compileServer();
  root = mkdtempSync(join(tmpdir(), 'runproof-kill-'));
}, 120_000);
afterAll(() => {
  compiled.dispose();
  rmSync(root, { recursive: true, force: true });
});

it(`${KILLS} kills under load lose nothing`, { timeout: 180_000 + KILLS * 20_000 }, async () => {
  const startedMs = Date.now();
  const killed = await killAgainAndAgain({
    kills: KILLS,
    seed: SEED,
    data: join(root, 'data'),
    compiled,
    ...(WHOLE && {
      onKill: (done, { jobs, ends, checks, faults }) => {
        if (done % 10 === 0)
          console.log(
            `${done} kills: ${jobs.length} jobs, ${ends} ends, ${checks} checks, ${faults.length} faults`,
          );
      },
    }),
  });
  const { endless, uncalled, ...numbers } = killed;
  if (WHOLE)
    console.log({
      ...numbers,
      seconds: Math.round((Date.now() - startedMs) / 1000),
    });
  expect(killed.faults).toEqual([]);
  expect(endless).toEqual([]);
  expect(uncalled).toEqual([]);
  expect(killed.accepted).toBeGreaterThan(KILLS);
  expect(killed.ends).toBeGreaterThan(KILLS / 2);
});
