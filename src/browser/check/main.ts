/** The script of the page of `check --ui`: the filter, what is chosen, the buttons, and what is new. */
import { ask, follow, reachedBySlash, update } from '../live.js';

const EVERY_MS = 700;

const form = document.querySelector<HTMLFormElement>('form.filters')!;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
const button = (id: string) => document.getElementById(id) as HTMLButtonElement;
const refused = document.getElementById('refused')!;
const watch = document.querySelector<HTMLInputElement>('#watch');
const all = <T extends Element = HTMLInputElement>(
  selector: string,
  within: ParentNode = document,
): readonly T[] => [...within.querySelectorAll<T>(selector)];
const PICKED = '[name=pick]:checked';

/** What the filter means; null: there is no filter. */
let meant: { readonly rows: ReadonlySet<string>; readonly only: readonly string[] | null } | null = null;

/** In the rows of the kind that is shown. */
const ofKind = (what: string): readonly HTMLElement[] =>
  all<HTMLElement>(`[data-kind=${field('kind').value}] ${what}`);
const shownRows = (): readonly HTMLElement[] => ofKind('li:not([hidden])');

function show(): void {
  for (const rows of all<HTMLElement>('.rows')) rows.hidden = rows.dataset.kind !== field('kind').value;
  for (const row of all<HTMLElement>('li[data-row]'))
    row.hidden = meant?.rows.has(row.dataset.row!) === false;
  for (const section of all<HTMLDetailsElement>('details.section')) {
    section.hidden = section.querySelector('li:not([hidden])') === null;
    section.open = meant !== null || section.querySelector(PICKED) !== null;
  }
  form.querySelector('output')!.textContent = `${shownRows().length} of ${ofKind('li').length} shown`;
  tell();
}

/** What the buttons do, and which of them do something now. */
function tell(): void {
  const { busy, stopping, failing } = document.querySelector('header')!.dataset;
  const picked = all(PICKED).length;
  const start = button('start');
  const shown = meant === null ? 'Run all' : `Run ${shownRows().length} shown`;
  start.textContent = picked > 0 ? `Run ${picked} chosen` : shown;
  start.disabled = busy === 'true' || (picked === 0 && shownRows().length === 0);
  button('failed').textContent =
    failing === '0' ? 'Run failed' : `Run ${failing} failed ${failing === '1' ? 'rule' : 'rules'}`;
  button('failed').disabled = busy === 'true' || failing === '0';
  button('stop').disabled = busy !== 'true' || stopping === 'true';
  button('none').disabled = picked === 0;
  for (const section of all<HTMLElement>('details.section')) {
    const every = section.querySelector<HTMLInputElement>('.every')!;
    const count = all(PICKED, section).length;
    every.checked = count > 0 && count === all('[name=pick]', section).length;
    every.indeterminate = count > 0 && !every.checked;
  }
}

function take(page: Document): void {
  const [{ dataset }, now] = [document.querySelector('header')!, page.querySelector('header')!.dataset];
  // Who stays on what the last run found has no part in the next one.
  const active = document.activeElement as HTMLElement | null;
  if (dataset.busy !== now.busy && active?.closest('[data-live]')) active.blur();
  Object.assign(dataset, now);
  if (watch !== null) watch.checked = dataset.watching === 'true';
  update(page);
  tell();
}

async function act(path: string, asked: object = {}): Promise<void> {
  const request = { method: 'POST', body: JSON.stringify(asked) };
  const answer = await fetch(path, request).catch(() => null);
  const { error = null } = answer === null ? {} : ((await answer.json()) as { readonly error?: string });
  refused.textContent = error;
  refused.hidden = error === null;
  await ask('/live', take);
}

function run(): void {
  const picked = all(PICKED).map(({ value }) => value);
  const shown = shownRows().map(({ dataset }) => dataset.row!);
  if (picked.length + shown.length === 0) return;
  const only = picked.length > 0 ? picked : (meant?.only ?? shown);
  void act('/run', picked.length === 0 && meant === null ? { all: true } : { only });
  document.getElementById('now')!.scrollIntoView({ block: 'nearest' });
}

let asked = 0;
/** False: it has changed meanwhile. */
async function filter(): Promise<boolean> {
  const number = (asked += 1);
  const text = field('text').value.trim();
  const found = text === '' ? null : await fetch(`/matches?text=${encodeURIComponent(text)}`);
  const matching = (await found?.json()) as
    | { rows: readonly string[]; only: readonly string[] | null }
    | undefined;
  // An earlier answer may come later.
  if (number !== asked) return false;
  meant = matching === undefined ? null : { ...matching, rows: new Set(matching.rows) };
  show();
  return true;
}

form.addEventListener('input', ({ target }) => {
  if (target === field('text') || target === field('kind')) void filter();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  // What is typed may not have been asked for yet.
  void filter().then((isNewest) => isNewest && run());
});
button('failed').addEventListener('click', () => void act('/run-failed'));
button('stop').addEventListener('click', () => void act('/stop'));
button('none').addEventListener('click', () => {
  for (const box of all(PICKED)) box.checked = false;
  tell();
});
watch?.addEventListener('change', () => void act('/watch', { on: watch.checked }));
document.addEventListener('change', ({ target }) => {
  const box = target as HTMLInputElement;
  if (box.className === 'every')
    for (const one of all('li:not([hidden]) [name=pick]', box.closest('details')!)) one.checked = box.checked;
  tell();
});
reachedBySlash(field('text'));
// A browser may keep what was typed and chosen before the page was loaded again.
void filter();
void follow('/live', EVERY_MS, take);
