import { escapeMarkup } from '../escape.js';

/** Text that is markup already. Everything else that enters a template is escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | null | readonly Part[];

function write(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(write).join('');
  return escapeMarkup(String(part));
}

/** Template tag: `` h`<p>${foreign}</p>` `` escapes what is put in, unless it was made by `h` itself. */
export function h(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, index) => text + write(parts[index] ?? null)).join('') };
}

/** For text that is ours: the stylesheet and the script of the page. */
export function trusted(markup: string): Markup {
  return { markup };
}

/** A sentence of ours or of the document, whose `code` is set as such. */
export function prose(text: string): Markup {
  return h`${text.split('`').map((part, index) => (index % 2 === 1 ? h`<code>${part}</code>` : part))}`;
}
