/** What all drawings of a page share: they fill their card, and scroll in it before their letters get too small. */
import { h, type Markup } from '../markup.js';

export interface FigureOptions {
  /** Further classes, for the stylesheet. */
  readonly kind?: string;
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who do not see it. */
  readonly text: string;
  readonly caption?: string;
  /** Its parts can be clicked; otherwise it is read as one picture. */
  readonly hasLinks?: boolean;
}

export function figure(
  { kind = '', width, height, text, caption, hasLinks = false }: FigureOptions,
  ...parts: readonly (Markup | readonly Markup[])[]
): Markup {
  return h`<figure class="axis ${kind}"><div class="scroll"><svg viewBox="0 0 ${width} ${height}" role="${hasLinks ? 'group' : 'img'}" aria-label="${text}">
${parts}</svg></div>${caption === undefined ? h`` : h`<figcaption>${caption}</figcaption>`}</figure>`;
}

/** A coordinate. */
export const at = (place: number): string => place.toFixed(1);
