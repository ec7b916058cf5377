/** What a run holds in memory: the table in docs/performance.md. It asserts nothing. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { costOf } from './costs.js';
import { onOneEndpoint, onSharedEndpoint } from './histories.js';
import { writeTable } from './page.js';
import { LIVE_JOB } from './rows.js';
import type { HistoryEvent } from '../src/history/events.js';
import { judge } from '../src/oracle/index.js';
import { isObject } from '../src/util/json.js';

const JOBS = 10_000;
const LOOKS = 4;
const POINTS = 5;

/** Measures what each thing takes, and puts the table into docs/performance.md. @param tell prints a line of it */
export function writeMemory(tell: (line: string) => void): void {
  setFlagsFromString('--expose-gc');
  const rows = [
    ['emulator: a job that has ended, until its retention is over', costOf(LIVE_JOB)!],
    ['judging: a call of a script that goes on, with its texts', ofOpenScript()],
    ['judging: a job whose script is over', heldPerScript(onSharedEndpoint)],
    ['judging: a failure, when 20 of its rule are kept', heldPerScript(failing)],
  ] as const;
  const cells = rows.map(([what, bytes]) => [what, `${Math.max(0, Math.round(bytes))} bytes`]);
  for (const line of cells) tell(line.join(': '));
  writeTable('memory', [['what', 'held'], ...cells]);
}

/** Bytes for each call of one script, while the script is not over. */
function ofOpenScript(): number {
  const { events, calls } = onOneEndpoint(JOBS / LOOKS, LOOKS);
  const texts = events.map((event) => JSON.stringify(event));
  const bytes: number[] = [];
  judge(parsed(texts, (nth) => nth === 0 || nth === texts.length - 1, bytes));
  return (bytes[1]! - bytes[0]!) / calls;
}

function* parsed(
  texts: readonly string[],
  isPoint: (nth: number) => boolean,
  bytes: number[],
): Iterable<HistoryEvent> {
  for (const [nth, text] of texts.entries()) {
    if (isPoint(nth)) bytes.push(heapBytes());
    yield JSON.parse(text) as HistoryEvent;
  }
}

/** By how many bytes the heap grows for each script of one job: judged, and beyond what making the history takes. */
function heldPerScript(history: (jobs: number) => Iterable<HistoryEvent>): number {
  const growth = (consume: (events: Iterable<HistoryEvent>) => unknown): number => {
    const bytes: number[] = [];
    consume(noting(history(JOBS), JOBS / POINTS, () => bytes.push(heapBytes())));
    return (bytes.at(-1)! - bytes[0]!) / (JOBS - JOBS / POINTS);
  };
  // The first round compiles.
  growth(judge);
  const making = growth((events) => {
    for (const _ of events);
  });
  return growth(judge) - making;
}

/** Passes the events on, and notes when so many more scripts are over. */
function* noting(events: Iterable<HistoryEvent>, every: number, note: () => void): Iterable<HistoryEvent> {
  let over = 0;
  for (const event of events) {
    yield event;
    if (event.kind !== 'script-end') continue;
    over += 1;
    if (over % every === 0) note();
  }
}

/** A service whose /status answers with the id of another job. */
function* failing(jobs: number): Iterable<HistoryEvent> {
  for (const event of onSharedEndpoint(jobs)) {
    const body = event.kind === 'call' && event.op === 'status' ? event.reply?.body : undefined;
    if (event.kind !== 'call' || body?.as !== 'json' || !isObject(body.value)) yield event;
    else
      yield {
        ...event,
        reply: { ...event.reply!, body: { ...body, value: { ...body.value, id: 'another' } } },
      };
  }
}

/** Once collected. */
function heapBytes(): number {
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
