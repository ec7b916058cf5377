/** How long answers took, for each operation: a table of percentiles. Only where real time passed. */
import type { HistoryEvent } from '../../../history/events.js';
import { MAIN_OPERATIONS } from '../../../spec/operations.js';
import { formatDuration } from '../../formatting.js';
import type { Report } from '../../report.js';
import { h, type Markup } from '../markup.js';

const SHARES = [0.5, 0.9, 0.99, 1] as const;

/** On a clock that is moved, an answer takes no time of its own. A `/runsync` waits for its job. */
export function answerTimes({ target }: Report, history: readonly HistoryEvent[]): Markup {
  if (target.clock !== 'real') return h``;
  const rows = MAIN_OPERATIONS.flatMap((op) => {
    const tookMs = history
      .flatMap((event) =>
        event.kind === 'call' && event.op === op && event.receivedMs !== null
          ? [event.receivedMs - event.sentMs]
          : [],
      )
      .toSorted((a, b) => a - b);
    return tookMs.length === 0 ? [] : [{ op, tookMs }];
  });
  if (rows.length === 0) return h``;
  return h`<details class="fold"><summary>How long answers took</summary>
<div class="scroll"><table class="answers"><thead><tr><th scope="col">Operation</th><th scope="col" class="number">Answers</th>${['50 % within', '90 %', '99 %', 'all'].map((title) => h`<th scope="col" class="number">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ op, tookMs }) =>
      h`<tr><th scope="row">/${op}</th><td class="number">${tookMs.length}</td>${SHARES.map((share) => h`<td class="number">${formatDuration(tookMs[Math.ceil(tookMs.length * share) - 1]!)}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}
