/**
 * The script of the proxy's page: it brings what is new without loading the page again, so that the place, the selection and
 * what is open stay as they are; and it filters the calls. The page is readable without it. What it gets is the page itself,
 * in which every text of a service is escaped.
 */
import { follow, reachedBySlash, update } from '../live.js';

const EVERY_MS = 2_000;

const form = document.querySelector<HTMLFormElement>('form.filters')!;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
const rows = () => document.querySelectorAll<HTMLTableRowElement>('#calls-seen tr');

function filter(): void {
  const words = field('text').value.toLowerCase().split(/\s+/);
  const kind = field('kind').value;
  let shown = 0;
  for (const row of rows()) {
    const text = row.textContent.toLowerCase();
    row.hidden =
      (kind !== '' && !row.dataset.kinds!.split(' ').includes(kind)) ||
      !words.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  form.querySelector('output')!.textContent = `${shown} of ${rows().length} shown`;
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
