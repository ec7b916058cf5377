/** Why scripts wait in vain for workers, as far as the calls of the run tell. */
import { STUCK, type CallEvent, type HistoryEvent } from '../history/events.js';
import { truncated } from '../report/escape.js';
import { formatDuration, pluralize } from '../report/formatting.js';
import { isObject } from '../util/json.js';

const JOB_CHARACTERS_MAX = 60;

/** `why`: what the workers do no more. `scripts`: how many waited or did not run. */
export function whyStuck(why: string, scripts: number, events: readonly HistoryEvent[]): string {
  const inVain = `${why}, so ${pluralize(scripts, 'script')} waited without success or did not run`;
  const idle = lastCount(events, 'workers', 'idle');
  const waiting = lastCount(events, 'jobs', 'inQueue');
  if (idle > 0 && waiting > 0)
    return `${inVain}. /health shows ${pluralize(idle, 'idle worker')} and ${pluralize(waiting, 'waiting job')}: does the endpoint lose jobs?`;
  return `${inVain}. ${jobThatRanOn(events) ?? 'Look at the workers of the endpoint'}`;
}

/** The job that was seen at work for the longest time by the scripts that waited in vain; null where none was. */
function jobThatRanOn(events: readonly HistoryEvent[]): string | null {
  const stuck = new Set(
    events.flatMap((event) =>
      event.kind === 'script-end' && event.reason?.startsWith(STUCK) ? [event.script] : [],
    ),
  );
  const seen = new Map<string, { readonly first: CallEvent; last: CallEvent }>();
  for (const event of events) {
    if (event.kind !== 'call' || event.op !== 'status' || !stuck.has(event.script)) continue;
    const body = event.reply?.body;
    const isAtWork = body?.as === 'json' && isObject(body.value) && body.value['status'] === 'IN_PROGRESS';
    const key = `${event.script} ${event.request.path}`;
    const known = seen.get(key);
    if (!isAtWork) seen.delete(key);
    else if (known === undefined) seen.set(key, { first: event, last: event });
    else known.last = event;
  }
  const lasted = (one: { readonly first: CallEvent; readonly last: CallEvent }): number =>
    one.last.sentMs - one.first.sentMs;
  const [longest] = [...seen.values()].sort((left, right) => lasted(right) - lasted(left));
  if (longest === undefined || lasted(longest) === 0) return null;
  const { last } = longest;
  const script = events.find((event) => event.kind === 'script' && event.script === last.script);
  const of = script?.kind === 'script' ? ` of ${script.scenario}` : '';
  const job = truncated(decodeURIComponent(last.request.path.split('/').at(-1)!), JOB_CHARACTERS_MAX);
  return `Job ${job}${last.label === null ? '' : ` ("${last.label}"${of})`} may keep a worker from all others: it was IN_PROGRESS at #${longest.first.call} and ${formatDuration(lasted(longest))} later at #${last.call}`;
}

/** What the last answer of `/health` counts; 0 where none does. */
function lastCount(events: readonly HistoryEvent[], of: string, name: string): number {
  const told = events.findLast(
    (event) => event.kind === 'call' && event.op === 'health' && event.reply?.status === 200,
  );
  const body = told?.kind === 'call' ? told.reply?.body : undefined;
  const counts = body?.as === 'json' && isObject(body.value) ? body.value[of] : null;
  const count = isObject(counts) ? counts[name] : null;
  return typeof count === 'number' ? count : 0;
}
