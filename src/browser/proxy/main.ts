/**
 * The script of the proxy's page: it brings what is new without loading the page again, so that the place, the selection and
 * what is open stay as they are; and it filters the calls. The page is readable without it. What it gets is the page itself,
 * in which every text of a service is escaped.
 */
import { callFilter, type CallFilter } from '../../util/call-filter.js';

const EVERY_MS = 2_000;

const form = document.querySelector<HTMLFormElement>('form.filters')!;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
const rows = () => document.querySelectorAll<HTMLTableRowElement>('#calls-seen tr');

/** By the text that was typed; all calls, where none was, or where it is wrong: then it says why. */
function typedFilter(say: (why: string) => void): CallFilter {
  const { value } = field('text');
  try {
    if (value.trim() !== '') return callFilter(value);
  } catch (error) {
    say(`the filter ${(error as RangeError).message}; `);
  }
  return () => true;
}

function filter(): void {
  let wrong = '';
  const isShown = typedFilter((why) => (wrong = why));
  const kind = field('kind').value;
  let shown = 0;
  for (const row of rows()) {
    const answer = row.querySelector('.number')!.textContent;
    const status = /^\d/.test(answer) ? Number(answer) : null;
    const text = [...row.cells].map((cell) => cell.textContent).join(' ');
    row.hidden = (kind !== '' && !row.dataset.kinds!.split(' ').includes(kind)) || !isShown({ status, text });
    if (!row.hidden) shown += 1;
  }
  form.querySelector('output')!.textContent = `${wrong}${shown} of ${rows().length} shown`;
}

/** Someone is at it: reading by keyboard, or selecting. */
function isInUse(part: Element): boolean {
  const selection = getSelection();
  return (
    part.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(part, true))
  );
}

/** Takes over the parts that differ. */
function update(page: Document): void {
  for (const part of page.querySelectorAll('[data-live]')) {
    const old = document.getElementById(part.id);
    if (old === null || old.innerHTML === part.innerHTML || isInUse(old)) continue;
    const open = [...old.querySelectorAll('details[open]')].map(({ id }) => id);
    old.replaceChildren(...[...part.childNodes].map((node) => document.importNode(node, true)));
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  }
  document.title = page.title;
  document.querySelector('header')!.className = page.querySelector('header')!.className;
}

async function refresh(): Promise<void> {
  const away = document.getElementById('away')!;
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' });
    if (!answer.ok) throw new Error(String(answer.status));
    // Hidden rows would differ from those that come.
    for (const row of rows()) row.hidden = false;
    update(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    away.hidden = true;
  } catch {
    away.hidden = false;
  }
  filter();
  setTimeout(() => void refresh(), EVERY_MS);
}

form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  const { tagName } = event.target as Element;
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(tagName)) return;
  event.preventDefault();
  field('text').focus();
});
filter();
setTimeout(() => void refresh(), EVERY_MS);
