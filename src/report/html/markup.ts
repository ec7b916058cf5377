import { escapeMarkup } from '../escape.js';

/** Text that is already markup. All other values in a template are escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | null | readonly Part[];

function write(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(write).join('');
  return escapeMarkup(String(part));
}

/** Template tag: `` h`<p>${foreign}</p>` `` escapes every value that `h` has not produced itself. */
export function h(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, index) => text + write(parts[index] ?? null)).join('') };
}

/** Marks our own text as markup: the stylesheet and the script of the page. */
export function trusted(markup: string): Markup {
  return { markup };
}

/** A sentence with `code` spans. */
export function prose(text: string): Markup {
  return h`${text.split('`').map((part, index) => (index % 2 === 1 ? h`<code>${part}</code>` : part))}`;
}

/** A command with a button that copies it. */
export const copied = (title: string, line: string): Markup =>
  h`<div class="command"><span>${title}</span><code>${line}</code><button type="button" data-copy>Copy</button></div>`;
