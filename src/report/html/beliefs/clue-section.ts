/** What leads from a failure to its cause: numbers, what broken cases have in common, and the nearest case in which the rule held. */
import { scriptSteps, type StepLine } from '../../calls/script-steps.js';
import type { Clues, Nearest } from '../../differences/index.js';
import { quoteForShell } from '../../escape.js';
import type { RenderContext } from '../../formats/context.js';
import { pluralize } from '../../formatting.js';
import type { ReportFailure } from '../../report.js';
import { exactDuration } from '../../../util/duration.js';
import { clueParagraphs } from '../failure-card.js';
import { copied, h, type Markup } from '../markup.js';

/** Further facts tell little, and further values are counted together. */
const FACTS_MAX = 5;
const VALUES_MAX = 4;
/** Steps of a script, nearest to the call that decides. */
const STEPS_MAX = 24;

export function clueSection(clues: Clues, failure: ReportFailure, context: RenderContext): Markup {
  const { numbers, differs } = clues;
  const nearest = differs?.nearest ?? null;
  return h`<section class="clues" aria-labelledby="clues-title"><h2 id="clues-title">What is different</h2>
${numbers === null ? h`` : h`<dl><dt>Expected</dt><dd>${numbers.expected}</dd><dt>Seen</dt><dd>${numbers.seen}</dd><dt>Difference</dt><dd><b>${numbers.difference}</b></dd></dl>`}
${clueParagraphs(clues)}
${differs === null ? h`` : factTable(differs)}
${nearest === null ? h`` : nearestCase(nearest, failure, context)}</section>`;
}

function factTable({ broken, kept, rules, facts }: NonNullable<Clues['differs']>): Markup {
  const others = rules.length > 1 ? ` of this rule and ${pluralize(rules.length - 1, 'rule')} like it` : '';
  const said = h`<p class="meta">All decisions in the run${others} that rest on a call: ${broken} broken, ${kept} kept.</p>`;
  if (facts.length === 0) return said;
  const rows = facts.slice(0, FACTS_MAX).flatMap(({ name, values }) => {
    const [shown, rest] = [values.slice(0, VALUES_MAX), values.slice(VALUES_MAX)];
    const sum = (of: 'broken' | 'kept'): number => rest.reduce((total, one) => total + one[of], 0);
    const others = { value: 'otherwise', broken: sum('broken'), kept: sum('kept') };
    return [...shown, ...(rest.length === 0 ? [] : [others])].map(
      (one, at, all) =>
        h`<tr>${at === 0 ? h`<th scope="rowgroup" rowspan="${all.length}">${name}</th>` : h``}<td>${one.value}</td><td${one.broken > 0 ? h` class="hit"` : h``}>${one.broken}</td><td>${one.kept}</td></tr>`,
    );
  });
  return h`${said}<div class="scroll"><table class="sum"><thead><tr><th scope="col">Fact</th><th scope="col">value</th><th scope="col">broken</th><th scope="col">kept</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function nearestCase(
  { requirement, script, call, instead }: Nearest,
  failure: ReportFailure,
  { history, program, directory }: RenderContext,
): Markup {
  const shown = failure.calls.at(-1)!;
  const own = history.find((event) => event.kind === 'call' && event.call === shown);
  if (own?.kind !== 'call') return h``;
  const [broken, kept] = [stepsNear(history, own.script, shown), stepsNear(history, script, call)];
  const texts = new Map([broken, kept].map((steps) => [steps, new Set(steps.map(withoutLabel))]));
  const column = (
    title: string,
    steps: readonly StepLine[],
    other: readonly StepLine[],
    by: number,
  ): Markup =>
    h`<div><h4>${title}</h4><ol class="short">${steps.map(
      (step) =>
        h`<li${step.call === by ? h` class="decides"` : h``}><time>${exactDuration(step.atMs)}</time> ${texts.get(other)!.has(withoutLabel(step)) ? step.text : h`<mark>${step.text}</mark>`}</li>`,
    )}</ol></div>`;
  const command = `${program} show ${quoteForShell(directory ?? '.')} script:${script}`;
  return h`<details><summary>The nearest case in which the rule ${requirement} was kept</summary>
${instead.length === 0 ? h`<p>None of the facts above differs.</p>` : h`<ul>${instead.map((one) => h`<li>${one}</li>`)}</ul>`}
<div class="two">${column('Broken', broken, kept, shown)}${column(`Kept: script ${script}`, kept, broken, call)}</div>
${copied('All of it', command)}</details>`;
}

/** Scripts name their jobs as they like. */
const withoutLabel = ({ text }: StepLine): string =>
  text.replace(/(^cancel|^retry| of| by \/run| by \/runsync) \S+/, '$1');

/** The steps around the call. */
function stepsNear(history: RenderContext['history'], script: number, call: number): readonly StepLine[] {
  const steps = scriptSteps(history, script)?.steps ?? [];
  const at = steps.findIndex((step) => step.call === call);
  const from = Math.max(0, Math.min(at - STEPS_MAX / 2, steps.length - STEPS_MAX));
  return steps.slice(from, from + STEPS_MAX);
}
