/** The failures of a page as a list that stays in view; the keys `n` and `p` go through it. */
import { causesIn } from '../causes.js';
import { headlines } from '../headline.js';
import { markOf, MARK_SYMBOL, MARK_WORDS } from '../formatting.js';
import type { Report } from '../report.js';
import { h, prose, type Markup } from './markup.js';

/** Where the page has the cause with this requirement. */
export const causeAnchor = (requirement: string): string => `cause-${requirement}`;

/** Each cause, and where known failures and advice begin; nothing where there is one cause only, which is on the screen anyway. */
export function failureList(report: Report): Markup {
  const causes = causesIn(report);
  const titles = headlines(report);
  const others = (['known', 'advice'] as const).flatMap((mark) => {
    const count = report.requirements.filter((one) => one.verdict === 'fail' && markOf(one) === mark).length;
    return count === 0 ? [] : [{ mark, count }];
  });
  if (causes.length + others.length < 2) return h``;
  return h`<nav class="failure-list" aria-label="Failures"><p class="meta"><kbd>n</kbd> next, <kbd>p</kbd> previous</p><ol>${causes.map(
    ({ requirement, sameAnswer, consequences }) => {
      const more = sameAnswer.length + consequences.length;
      return h`<li><a href="#${causeAnchor(requirement)}">${prose(titles.get(requirement)?.[0] ?? requirement)}</a>${more === 0 ? h`` : h` <span class="meta">+ ${more}</span>`}</li>`;
    },
  )}${others.map(({ mark, count }) => h`<li class="other"><a href="#${mark}-failures">${MARK_SYMBOL[mark]} ${MARK_WORDS[mark]}: ${count}</a></li>`)}</ol></nav>`;
}
