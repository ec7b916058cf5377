/** How many of the known faults the traffic of an ordinary application shows. */
import { MUTANTS, type Mutant } from '../src/mutants/index.js';
import { requirement } from '../src/spec/index.js';
import { chosen } from './matches-selection.js';
import { workOff } from './pool.js';
import type { Wish } from './proof-options.js';
import type { TrafficAnswer, TrafficTask } from './trials/traffic-trial.js';

/** The share of the faults that traffic can show, of which the application must meet so much. */
const WANTED_PERCENT = 60;

export async function traffic({
  seed,
  threads,
  only,
  mayCrash,
  say,
  write,
  findings: { every },
}: Wish): Promise<boolean> {
  const tried = MUTANTS.filter(({ id }) => chosen(id, only)).filter((_, index) => index % every === 0);
  const tasks = [null, ...tried.map(({ id }) => id)].map((mutant): TrafficTask => ({
    ...{ kind: 'traffic', mutant, seed, isOpen: false, mayCrash },
  }));
  const answers = await workOff(tasks, threads, () => undefined);
  const [alarms, ...found] = answers;
  for (const [id, actual] of Object.entries(alarms!)) say(`FALSE ALARM ${id}: ${actual}`);
  const rows = tried.map((mutant, index) => rowOf(mutant, found[index]!));
  const possible = rows.filter(({ why }) => why === null);
  const shown = possible.filter(({ failed }) => failed.length > 0);
  const percent = (100 * shown.length) / possible.length;
  for (const { id, breaks } of possible.filter(({ failed }) => failed.length === 0))
    say(`not shown: ${id} (${breaks})`);
  say(
    `${shown.length} of ${possible.length} faults that such traffic can show are failed (${percent.toFixed(1)} %), ` +
      `${rows.length - possible.length} it cannot show, of which ${rows.filter(({ why, failed }) => why !== null && failed.length > 0).length} are failed all the same`,
  );
  write('traffic.json', `${JSON.stringify(rows, null, 1)}\n`);
  return Object.keys(alarms!).length === 0 && percent >= WANTED_PERCENT;
}

interface Row {
  readonly id: string;
  readonly breaks: string;
  readonly failed: readonly string[];
  /** Why such traffic cannot show it; null: it can. */
  readonly why: string | null;
}

const rowOf = (mutant: Mutant, answer: TrafficAnswer): Row => ({
  id: mutant.id,
  breaks: mutant.breaks.join(', '),
  failed: Object.keys(answer),
  why: whyNotInTraffic(mutant),
});

/** What such an application never does, by what shows the requirement. */
const NEVER: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /unchanged|output-of-this-job|4\.4\/chunks|large-output|reaches-worker|not-mixed|keeps-input|success-completes|metrics-|handler-error|worker-crash|before-handler/,
    'what workers get and return is not in a recording',
  ],
  [
    /input-(empty|object|content)|-of-the-example|type-checked|malformed|no-body|chunk-size|payload/,
    'it sends nothing of this kind',
  ],
  [/^5\/|permission/, 'it has one key, and that is valid'],
  [/^6\/|webhook/, 'webhooks are not in the recording'],
  [/^8\//, 'it does not come near the limits'],
  [/^2\.3\/|s3config/, 'it names no storage'],
  [/unknown-(endpoint|job)|isolated/, 'it asks for nothing that does not exist'],
  [
    /refused|json-error-content-type-4(00|01|29)|-(min|max)-enforced|(wait-min|ttl-max|timeout-max)-accepted/,
    'it makes no mistakes and tries no bounds',
  ],
  [/^4\.9\/|^9\//, 'it calls no other paths'],
  [
    /^4\.8\/|removed-counts|purge-removes-nothing|queue-removes-nothing|leaves-queue/,
    'counts are not judged in traffic',
  ],
  [
    /^1\/(every-job|free|no-more|waits)|frees-worker|low-priority-job-runs|leaves-other-jobs/,
    'how many workers there are is not known',
  ],
];

/** What scripts need to bring situations about, which an application comes into by itself. */
const MAY_HAVE: ReadonlySet<string> = new Set(['scripted-worker', 'worker-count-known', 'dedicated']);

/** Why such traffic cannot show it; null: it can. */
export function whyNotInTraffic({ breaks }: Mutant): string | null {
  const reasons = breaks.map((id) => {
    const { level, needs } = requirement(id);
    if (level !== 'must') return 'what only should be fails nothing';
    const never = NEVER.find(([pattern]) => pattern.test(id));
    if (never !== undefined) return never[1];
    return needs.every((need) => MAY_HAVE.has(need)) ? null : `it needs ${needs.join(', ')}`;
  });
  return reasons.every((reason) => reason !== null) ? reasons[0]! : null;
}
