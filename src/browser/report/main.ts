/**
 * `browser/` promises the scripts of the pages, which `npm run generate` bundles. What comes from clients and
 * targets is set as text, never as markup. This is the script of a report: filters, sorting, what a link leads
 * to, copy buttons. The page is readable without it.
 */
import { letScroll } from '../scroll.js';

const form = document.querySelector<HTMLFormElement>('form.filters')!;
const table = document.querySelector<HTMLTableSectionElement>('table.requirements tbody')!;
const rows = [...table.rows];
const marks = [...form.querySelectorAll<HTMLInputElement>('[name=mark]')];
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
const FIELDS = ['section', 'level', 'text'];
/** The ids that are shown, whatever the form says. */
let only: readonly string[] | null = null;

/** Keeps the filter in the address. */
function save(): void {
  const state = new URLSearchParams();
  const chosen = marks.filter(({ checked }) => checked);
  if (chosen.length < marks.length) state.set('mark', chosen.map(({ value }) => value).join(' '));
  for (const name of FIELDS) if (field(name).value !== '') state.set(name, field(name).value);
  const words = String(state);
  if (words !== '' || location.hash.startsWith('#requirements?'))
    history.replaceState(null, '', `#requirements${words && `?${words}`}`);
}

function restore(): void {
  const [place, words] = location.hash.split('?');
  if (place !== '#requirements' || words === undefined) return;
  const state = new URLSearchParams(words);
  const chosen = state.get('mark')?.split(' ');
  for (const box of marks) box.checked = chosen?.includes(box.value) ?? true;
  for (const name of FIELDS) field(name).value = state.get(name) ?? '';
  only = state.get('ids')?.split(' ') ?? null;
  document.getElementById('requirements')?.scrollIntoView();
}

function apply(): void {
  const chosen = new Set(marks.filter(({ checked }) => checked).map(({ value }) => value));
  const [section, level, text] = FIELDS.map((name) => field(name).value);
  const words = text!.toLowerCase().split(/\s+/);
  const fits = ({ id, dataset, textContent }: HTMLElement): boolean =>
    only?.includes(id) ??
    (chosen.has(dataset.mark!) &&
      (section === '' || dataset.section === section) &&
      (level === '' || dataset.level === level) &&
      words.every((word) => textContent.toLowerCase().includes(word)));
  for (const row of rows) {
    row.hidden = !fits(row);
    row.classList.toggle('hit', only !== null && !row.hidden);
  }
  const shown = rows.filter(({ hidden }) => !hidden).length;
  form.querySelector('output')!.textContent = `${shown} of ${rows.length} shown`;
}

function show(ids: readonly string[] | null): void {
  only = ids;
  apply();
}

function sort(button: HTMLElement): void {
  const head = button.closest('th')!;
  const column = head.cellIndex;
  const isDown = head.getAttribute('aria-sort') === 'ascending';
  for (const other of head.parentElement!.children) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
  const key = (row: HTMLTableRowElement): string => row.cells[column]!.textContent;
  const byNumber = button.dataset.sort === 'number';
  const order = (a: HTMLTableRowElement, b: HTMLTableRowElement): number =>
    byNumber ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b));
  table.append(...[...rows].sort((a, b) => (isDown ? order(b, a) : order(a, b))));
}

function follow(link: HTMLAnchorElement): void {
  const hash = link.getAttribute('href')!;
  // The address does not change, so there is no other sign of the click.
  if (hash === location.hash) followAddress();
  const row = document.getElementById(hash.slice(1));
  if (row?.hidden !== true) return;
  only = null;
  form.reset();
  row.hidden = false;
}

function copy(button: HTMLElement): void {
  void navigator.clipboard?.writeText(button.previousElementSibling!.textContent).then(
    () => (button.textContent = 'Copied'),
    () => (button.textContent = 'Select and copy'),
  );
}

/** Opens whatever encloses the target of the address. */
function open(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  markCurrent();
  const own = target?.querySelector<HTMLDetailsElement>(':scope > details');
  if (target?.matches('.cause, .job') && own) own.open = true;
  for (let at = target?.closest('details'); at; at = at.parentElement?.closest('details')) at.open = true;
  if (target?.closest('details')) target.scrollIntoView({ block: 'center' });
}

function followAddress(): void {
  restore();
  apply();
}

form.addEventListener('input', () => {
  show(null);
  save();
});
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () =>
  // The fields have their values afterwards.
  setTimeout(() => {
    show(null);
    save();
  }),
);
const listed = [...document.querySelectorAll<HTMLAnchorElement>('.failure-list a')];

/** Marks the failure of the address in the list. */
function markCurrent(): void {
  for (const link of listed)
    if (link.hash === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}

/** Goes to the next failure of the list, or to the one before. */
function step(by: 1 | -1): void {
  const at = listed.findIndex((link) => link.hasAttribute('aria-current'));
  const next = listed[at === -1 ? (by === 1 ? 0 : listed.length - 1) : at + by];
  if (next === undefined) return;
  location.hash = next.hash;
  next.scrollIntoView({ block: 'nearest' });
  document
    .getElementById(decodeURIComponent(next.hash.slice(1)))
    ?.querySelector('summary')
    ?.focus();
}

/** From a call of a script, opens the next one, or the one before. */
function walk(from: Element, by: 1 | -1): void {
  const calls = [...from.closest('.steps')!.querySelectorAll<HTMLDetailsElement>(':scope > li > details')];
  const at = calls.findIndex((call) => call.contains(from));
  const next = calls[at + by];
  if (at === -1 || next === undefined) return;
  calls[at]!.open = false;
  // Takes the place of the one before: "back" leads to where the reader came from. The page follows the address.
  location.replace(`#${next.id}`);
  next.open = true;
  next.querySelector('summary')!.focus();
}

document.addEventListener('keydown', (event) => {
  const { tagName } = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(tagName)) return;
  if (event.key === 'n' || event.key === 'p') return step(event.key === 'n' ? 1 : -1);
  const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  // Who has followed a link to a call has the focus nowhere.
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const from = event.target === document.body ? linked : (event.target as Element);
  if (isArrow && from !== null && from.closest('.steps') !== null) {
    event.preventDefault();
    return walk(from, event.key === 'ArrowRight' ? 1 : -1);
  }
  if (event.key !== '/') return;
  event.preventDefault();
  const search = field('text') as HTMLInputElement;
  search.scrollIntoView({ block: 'center' });
  search.focus();
  search.select();
});
document.addEventListener('click', (event) => {
  const closest = <E extends HTMLElement>(selector: string) => (event.target as Element).closest<E>(selector);
  const sorter = closest('[data-sort]');
  if (sorter !== null) return sort(sorter);
  const note = closest('a.note');
  if (note !== null) return show(note.dataset.ids!.split(' '));
  const section = closest('[data-section-link]');
  if (section !== null) {
    form.reset();
    setTimeout(() => {
      field('section').value = section.dataset.sectionLink!;
      apply();
    });
    return;
  }
  const link = closest<HTMLAnchorElement>('a[href^="#"]');
  if (link !== null) follow(link);
  const button = closest('[data-copy]');
  if (button !== null) copy(button);
});
addEventListener('hashchange', open);
addEventListener('resize', letScroll);
// Folded parts have no width before.
document.addEventListener('toggle', letScroll, true);
addEventListener('hashchange', followAddress);
followAddress();
open();
letScroll();
