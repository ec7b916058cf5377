/**
 * A script of recorded calls, which makes them again on jobs of its own: the same requests in the same order, after the
 * same waits. Calls that overlapped are in different lanes.
 */
import { finishScript } from '../scenario/finish-script.js';
import type { Script, Step, When } from '../scenario/script.js';
import { addressOf, answerOf, parametersOf, type Exchange } from '../history/exchange.js';
import { decodedSegment } from '../spec/operation-of.js';
import { isCall, submittedJobOf } from './calls.js';
import { stepOf, type Inexpressible } from './step-of.js';
import { SECOND_ENDPOINT } from '../scenario/second-endpoint.js';

/** Where the calls come from. */
export interface Origin {
  /** Completes the title, after the number of calls: `recorded by the emulator`. */
  readonly recorded: string;
  /** Workers of the endpoint. */
  readonly workers: number;
  /** How the webhook calls of a job were answered, attempt by attempt; null: not at all. Default: with 200. */
  readonly webhookAnswers?: (jobId: string) => readonly (number | null)[] | undefined;
}

/** Why calls are left out, after their number in words. */
const WHY: { readonly [why in Inexpressible | 'foreign' | 'endpoint']: string } = {
  foreign: 'to other addresses',
  endpoint: 'to more endpoints than the two that a script can have',
  job: 'on jobs whose submission was not recorded',
  body: 'with a body that was not read, or that a script cannot send',
};

/** A client that makes one call after the other. */
interface Lane {
  /** Undefined: the first, which needs no name. */
  readonly name: string | undefined;
  /** When its last call had ended; null before the first. */
  freeMs: number | null;
}

interface RecordedJob {
  readonly label: string;
  readonly lane: Lane;
  /** When its submission began. */
  readonly sentMs: number;
}

/** @param exchanges in the order in which they began */
export function scriptOf(
  exchanges: readonly Exchange[],
  { recorded, workers, webhookAnswers }: Origin,
): Script {
  const endpoints = endpointsOf(exchanges);
  const beginMs = exchanges[0]?.fromMs ?? 0;
  const jobs = new Map<string, RecordedJob>();
  const lanes: Lane[] = [];
  const steps: Step[] = [];
  const leftOut = new Map<string, number>();
  let submissions = 0;
  let endMs = beginMs;

  const jobIn = (path: string): Named | null => {
    for (const segment of path.split('/')) {
      const job = jobs.get(decodedSegment(segment));
      if (job !== undefined) return { segment, ...job };
    }
    return null;
  };

  /** The lane of the job where that is free, so that its calls follow its submission. */
  const laneAt = (ms: number, preferred: Lane | undefined): Lane => {
    const isFree = ({ freeMs }: Lane): boolean => freeMs === null || freeMs <= ms;
    const free = preferred !== undefined && isFree(preferred) ? preferred : lanes.find(isFree);
    if (free !== undefined) return free;
    const name = lanes.length === 0 ? undefined : `client-${lanes.length + 1}`;
    const lane = { name, freeMs: name === undefined ? beginMs : null };
    lanes.push(lane);
    return lane;
  };

  const whenOf = (ms: number, { name, freeMs }: Lane, job: Named | null): When | undefined => {
    if (job !== null && job.lane.name !== name)
      return {
        job: job.label,
        milestone: 'submitted',
        side: 'earliest',
        plusMs: Math.max(0, ms - job.sentMs),
      };
    if (freeMs === null) return { sinceStartMs: ms - beginMs };
    return ms > freeMs ? { waitMs: ms - freeMs } : undefined;
  };

  /** Why it is left out; null: it is not. */
  const add = (exchange: Exchange): string | null => {
    const { fromMs, byMs } = exchange;
    const names = isCall(exchange) ? exchange.names : null;
    const address = addressOf(exchange.request);
    const base = names?.base ?? [...endpoints.keys()].find((one) => address.startsWith(`${one}/`));
    if (base === undefined) return WHY.foreign;
    if (!endpoints.has(base)) return WHY.endpoint;
    const path = address.slice(base.length);
    const job = jobIn(path);
    const id = submittedJobOf(exchange);
    const made = stepOf(exchange, {
      ...{ names, path, job },
      label: `job-${submissions + 1}`,
      webhookAnswers: (id !== null && webhookAnswers?.(id)) || [],
    });
    if (typeof made === 'string') return WHY[made];
    const lane = laneAt(fromMs, job?.lane);
    const at = whenOf(fromMs, lane, job);
    const auth = authOf(exchange);
    const endpoint = endpoints.get(base);
    steps.push({
      ...made,
      ...(lane.name !== undefined && { lane: lane.name }),
      ...(at !== undefined && { at }),
      ...(auth !== undefined && { auth }),
      ...(endpoint !== undefined && { endpoint }),
    });
    lane.freeMs = byMs ?? Infinity;
    endMs = Math.max(endMs, byMs ?? fromMs);
    if (made.do !== 'run' && made.do !== 'runsync') return null;
    submissions += 1;
    if (id !== null) jobs.set(id, { label: made.job, lane, sentMs: fromMs });
    return null;
  };

  for (const exchange of exchanges) {
    const why = add(exchange);
    if (why !== null) leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  }
  const without = [...leftOut].map(([why, count]) => `${callsOf(count)} ${why}`);
  const title = [`${callsOf(steps.length)} ${recorded}`, ...without].join(', without ');
  const script = finishScript({ scenario: 'recorded', title, seed: 0, workers, needs: [] }, steps);
  return { ...script, expectedMs: Math.max(script.expectedMs, Math.ceil(endMs - beginMs)) };
}

/** A job of the script, and how a path names it. */
type Named = RecordedJob & { readonly segment: string };

const callsOf = (count: number): string => `${count} ${count === 1 ? 'call' : 'calls'}`;

/**
 * How a step names the endpoint, by what stands before the operation in the address; undefined: it is the script's own.
 * That is the first that answered a call; the next to answer is the second. Others are named by their ids, so that they are
 * unknown again.
 */
function endpointsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, string | undefined> {
  const asked = new Set<string>();
  const answered = new Set<string>();
  for (const exchange of exchanges) {
    if (!isCall(exchange)) continue;
    const { base } = exchange.names;
    const answer = answerOf(exchange);
    asked.add(base);
    if (answer !== null && answer.status < 300) answered.add(base);
  }
  const [own, second] = new Set([...answered, ...asked]);
  const names = new Map<string, string | undefined>();
  if (own !== undefined) names.set(own, undefined);
  if (second !== undefined && answered.has(second)) names.set(second, SECOND_ENDPOINT);
  for (const base of asked) {
    const id = /\/v2\/([^/{}]+)$/u.exec(base)?.[1];
    if (id !== undefined && !answered.has(base) && !names.has(base)) names.set(base, decodedSegment(id));
  }
  return names;
}

/** Which key was shown, and how; undefined: the right one. */
function authOf(exchange: Exchange): Step['auth'] {
  const { request } = exchange;
  const code = answerOf(exchange)?.status;
  const header = request.headers['authorization'];
  if (code === 403) return 'unpermitted';
  if (header === undefined && parametersOf(request).has('api_key')) return 'in-query';
  if (code !== 401) return undefined;
  if (header === undefined) return 'missing';
  if (header.trim() === '') return 'empty';
  if (!/^bearer\b/iu.test(header)) return 'wrong';
  return /^bearer\s*$/iu.test(header) ? 'empty-bearer' : 'wrong-bearer';
}
