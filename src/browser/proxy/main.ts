/**
 * The script of the proxy's page: it brings what is new without loading the page again, so that the place, the selection and
 * what is open stay as they are; and it filters the calls. The page is readable without it. What it gets is the page itself,
 * in which every text of a service is escaped.
 */
import { callFilter, type CallFilter } from '../../util/call-filter.js';
import { follow, reachedBySlash, update } from '../live.js';

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

/** Hidden rows would differ from those that come. */
function take(page: Document): void {
  for (const row of rows()) row.hidden = false;
  update(page);
  filter();
}

form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
reachedBySlash(field('text'));
filter();
setTimeout(() => void follow(location.pathname, EVERY_MS, take), EVERY_MS);
