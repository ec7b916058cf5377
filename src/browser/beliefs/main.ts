/**
 * The script of a failure's page: steps through the calls of its script, and draws what each job may have been by then, what
 * the call has ruled out and by which sentence. All that it shows is in the data of the page.
 */
import type { PageData } from '../../report/html/beliefs/page-data.js';
import { letScroll } from '../scroll.js';
import { el } from './dom.js';
import { laneOf } from './lanes.js';
import { Reading, sentences } from './reading.js';

/** So many instants before and after the current one are listed. */
const LISTED = 150;
/** Of so many jobs it is told what they may be, where no job is concerned. */
const TOLD = 3;

const part = (id: string): HTMLElement => document.getElementById(id)!;
const reading = new Reading(JSON.parse(part('data').textContent) as PageData);
const { data, last } = reading;
const evidence = new Set(data.evidence);
/** The state that is asked about, of each job. */
const asked: (string | null)[] = data.jobs.map(() => null);
let current = ofAddress() ?? data.first;

/** The address names a call, or an instant that is none by its place. */
function ofAddress(): number | null {
  const [, kind, number] = /^#(call|at)-(\d+)$/.exec(location.hash) ?? [];
  const at = kind === 'call' ? reading.ofCall(Number(number)) : Number(number);
  return at !== undefined && at >= 0 && at <= last ? at : null;
}

function go(instant: number): void {
  current = Math.min(last, Math.max(0, instant));
  const call = data.instants[current]![1];
  history.replaceState(null, '', call === null ? `#at-${current}` : `#call-${call}`);
  draw();
  const { top, bottom } = part('now').getBoundingClientRect();
  if (top < 0 || bottom > innerHeight / 2) part('steps-title').scrollIntoView();
  // Of many jobs, those that the call is about are told.
  const jobs = [...data.jobs.keys()];
  const own = jobs.filter((job) => reading.concerns(job, current));
  part('told').textContent = sentences(toldOf(current, own.length > 0 ? own : jobs.slice(0, TOLD)));
}

function ask(job: number, state: string): void {
  asked[job] = asked[job] === state ? null : state;
  draw();
  const answer = asked[job] === null ? [] : reading.whyNot(job, current, state);
  part('answer').textContent = sentences(answer);
}

function draw(): void {
  const focused = document.activeElement?.id ?? '';
  part('step').textContent = `${current + 1} of ${last + 1}`;
  part('now').textContent = `${reading.time(current)}: ${reading.title(current)}`;
  part('bodies').replaceChildren(
    ...reading.bodies(current).flatMap(([what, body]) => [el('dt', {}, what), el('dd', {}, body)]),
  );
  const headers = reading.headers(current);
  part('headers').hidden = headers === '';
  part('headers').lastElementChild!.textContent = headers;
  (part('previous') as HTMLButtonElement).disabled = current === 0;
  (part('next') as HTMLButtonElement).disabled = current === last;
  drawList();
  part('lanes').replaceChildren(
    ...data.jobs.map((_, job) =>
      laneOf({ reading, job, instant: current, asked: asked[job]!, ask: (state) => ask(job, state), go }),
    ),
  );
  part('counts').replaceChildren(...countRows());
  // What had the focus was drawn again.
  document
    .getElementById(focused.startsWith('at-') ? `at-${current}` : focused)
    ?.focus({ preventScroll: true });
}

function drawList(): void {
  const list = part('calls');
  const from = Math.max(0, current - LISTED);
  const to = Math.min(last, current + LISTED);
  const left = (count: number, where: string): readonly HTMLElement[] =>
    count === 0 ? [] : [el('li', { class: 'meta' }, `${count} more ${where}`)];
  list.replaceChildren(
    ...left(from, 'before'),
    ...Array.from({ length: to - from + 1 }, (_, at) => entryOf(from + at)),
    ...left(last - to, 'after'),
  );
  const now = part(`at-${current}`);
  list.scrollTop = now.offsetTop - list.clientHeight / 2;
}

function entryOf(instant: number): HTMLElement {
  const [, call, , marks] = data.instants[instant]!;
  const kind = call !== null && evidence.has(call) ? 'evidence' : call === null ? 'no-call' : '';
  const button = el(
    'button',
    { type: 'button', id: `at-${instant}`, class: kind, click: () => go(instant) },
    el('time', {}, reading.time(instant)),
    ` ${reading.title(instant)} `,
    ...marks.map((mark) => el('span', { class: 'mark' }, data.texts[mark]!)),
  );
  if (instant === current) button.setAttribute('aria-current', 'step');
  return el('li', {}, button);
}

const countRows = (): readonly HTMLElement[] =>
  data.counts[data.instants[current]![4]]!.flatMap(([name, value]) => [
    el('dt', {}, data.texts[name]!),
    el('dd', {}, data.texts[value]!),
  ]);

/** What is said of an instant and of these jobs: to be heard, and printed. */
function toldOf(instant: number, jobs: readonly number[]): readonly string[] {
  return [
    `${reading.time(instant)}: ${reading.title(instant)}`,
    ...jobs.flatMap((job) => reading.lines(job, instant).map((line) => `${data.jobs[job]!.name}: ${line}`)),
  ];
}

function printable(): void {
  const [...all] = data.instants.keys();
  part('all').replaceChildren(
    ...all.map((instant) => {
      const [title, ...jobs] = toldOf(instant, [...data.jobs.keys()]);
      const lines = [...reading.bodies(instant).map(([what, body]) => `${what}: ${body}`), ...jobs];
      return el('li', {}, el('b', {}, title!), ...lines.map((line) => el('p', {}, line)));
    }),
  );
}

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const to = { ArrowLeft: current - 1, ArrowRight: current + 1 }[key];
  if (to === undefined || ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  go(to);
});
part('previous').addEventListener('click', () => go(current - 1));
part('next').addEventListener('click', () => go(current + 1));
addEventListener('hashchange', () => go(ofAddress() ?? current));
addEventListener('beforeprint', printable);
addEventListener('resize', letScroll);
draw();
letScroll();
