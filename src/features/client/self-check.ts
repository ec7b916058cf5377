/** The emulator's half of a session, judged by the oracle: what it finds is wrong with Runproof, not with the client. */
import type { Exchange } from '../../history/exchange.js';
import type { Edition } from '../../spec/index.js';
import { program } from '../../program-name.js';
import { INNER_URL } from './inner-call.js';

export async function selfCheck(
  seen: readonly Exchange<Uint8Array>[],
  edition: Edition,
  endedMs: number,
): Promise<readonly string[]> {
  // Loaded after the client has ended, not before it runs.
  const { LiveJudge } = await import('../../judging/live/live-judge.js');
  const judge = new LiveJudge({
    ...{ upstream: INNER_URL, beganMs: 0, edition, graceMs: undefined, dialect: undefined },
    // Weather counts its calls in: no others can call.
    ...{
      others: false,
      crashes: true,
      webhooks: false,
      findings: [],
      minDecided: undefined,
      formats: [],
      reader: { program: program(), directory: null },
    },
  });
  for (const one of seen) judge.take(one);
  for (const _ of judge.finish(endedMs)) continue;
  return judge.state.findings
    .filter(({ level }) => level === 'must')
    .map(({ requirement, actual }) => `${requirement}: ${actual}`);
}
