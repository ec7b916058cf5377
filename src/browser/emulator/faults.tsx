/** Faults on demand. */
import type { PageFaults } from '../../server/page/page-state.js';
import { page } from './page.js';
import { Button, FieldForm, Lines, short } from './parts.js';
import { changeFaults } from './server.js';
import { span } from './times.js';

const FORMS = [
  'status:5%=503',
  'run:#1=lost-reply',
  '*:10%=+100ms..2s',
  'worker:10%=crash',
  'webhook=duplicate',
];

type RuleState = PageFaults['rules'][number];

function Rule({ rule: { id, text, on, injected, seen } }: { readonly rule: RuleState }) {
  async function turn({ currentTarget }: Event): Promise<void> {
    const box = currentTarget as HTMLInputElement;
    if (!(await changeFaults('change a fault', { turn: id, on: box.checked }))) box.checked = on;
  }
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={on}
          disabled={!page.state!.acts}
          onChange={(event: Event) => void turn(event)}
        />
        <code>{text}</code>
      </label>
      <span class="soft">{`injected in ${injected} of ${seen}`}</span>
      <Button
        class="small acts"
        label={`Remove ${text}`}
        press={() => changeFaults('remove a fault', { remove: id })}
      >
        Remove
      </Button>
    </li>
  );
}

export function Faults({ faults: { rules, recent, seed } }: { readonly faults: PageFaults }) {
  const on = rules.filter((rule) => rule.on).length;
  const add = async (text: string, form: HTMLFormElement): Promise<void> => {
    if (await changeFaults('add a fault', { add: text })) form.reset();
  };
  const lines = recent.map(({ atMs, on: where, fault, job, rule }) => {
    const what = `${where} ${fault}${job === null ? '' : `, job ${short(job)}`}`;
    return `${span(page.state!.nowMs - atMs)} ago: ${what}, by ${rule ?? 'request'}`;
  });
  return (
    <details class="card" id="faults">
      <summary>
        <h2>Faults on demand</h2>{' '}
        <span class="soft">
          {`${on === 0 ? 'none' : on === 1 ? '1 rule is on' : `${on} rules are on`}, seed ${seed}`}
        </span>
      </summary>
      <ul class="rules">
        {rules.map((rule) => (
          <Rule key={rule.id} rule={rule} />
        ))}
      </ul>
      <FieldForm
        id="fault"
        class="acts"
        label="Add a fault"
        button="Add"
        field={{ list: 'fault-forms', placeholder: FORMS[0]! }}
        send={add}
      >
        <datalist id="fault-forms">
          {FORMS.map((form) => (
            <option value={form} />
          ))}
        </datalist>
      </FieldForm>
      {lines.length > 0 && <h3>Last injected</h3>}
      <Lines lines={lines} />
    </details>
  );
}
