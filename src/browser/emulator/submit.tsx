/** Submits jobs; the last bodies are remembered in the browser. */
import { useState } from 'hono/jsx/dom';
import { EXAMPLES } from '../../worker/examples.js';
import { page } from './page.js';
import { Button, VERBATIM } from './parts.js';
import { callApi } from './server.js';

interface Entry {
  readonly label: string;
  readonly op: string;
  readonly body: string;
}

const EXAMPLE_ENTRIES: readonly Entry[] = Object.values(EXAMPLES).map(({ label, body }) => ({
  label,
  op: 'run',
  body: inLines(body),
}));

/** A line for each member. */
function inLines(body: object): string {
  const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

const RECENT_MAX = 12;
const KEPT_AS = 'runproof-recent';

function kept(): readonly Entry[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]') as readonly Entry[];
  } catch {
    return [];
  }
}

function keep(entries: readonly Entry[]): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(entries));
  } catch {
    // Too large: not remembered.
  }
}

/** Chooses among entries, of which the first `own` were submitted before. */
function Choice({ entries, own }: { readonly entries: readonly Entry[]; readonly own: number }) {
  function choose({ currentTarget }: Event): void {
    const { form, value } = currentTarget as HTMLSelectElement;
    for (const name of ['op', 'body'] as const)
      (form!.elements.namedItem(name) as HTMLSelectElement | HTMLTextAreaElement).value =
        entries[Number(value)]![name];
  }
  const options = entries.map(({ label }, at) => <option value={at}>{label}</option>);
  return (
    <select id="recent" onChange={choose}>
      <option disabled selected>
        choose …
      </option>
      {own > 0 && <optgroup label="Recent">{options.slice(0, own)}</optgroup>}
      <optgroup label="Examples">{options.slice(own)}</optgroup>
    </select>
  );
}

export function Submit() {
  const [recent, setRecent] = useState(kept);
  const [wrong, setWrong] = useState('');
  const { endpoints } = page.state!;
  function remember(entries: readonly Entry[]): void {
    setRecent(entries);
    keep(entries);
  }
  function submit(event: Event): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [op = '', body = '', endpoint = ''] = ['op', 'body', 'endpoint'].map((name) =>
      String(data.get(name)),
    );
    let line = body;
    try {
      line = JSON.stringify(JSON.parse(body));
      setWrong('');
    } catch (error) {
      // It is sent anyway: the answer to a wrong body is worth seeing, too.
      setWrong(`This is not JSON: ${(error as Error).message}`);
    }
    const others = recent.filter((each) => each.op !== op || each.body !== body);
    remember([{ op, body, label: `${op} ${line}`.slice(0, 60) }, ...others].slice(0, RECENT_MAX));
    void callApi(op, endpoint, op, body);
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      (event.currentTarget as HTMLTextAreaElement).form!.requestSubmit();
  };
  return (
    <section class="card acts" aria-label="Submit a job">
      <h2>Submit a job</h2>
      <form id="submit-form" onSubmit={submit}>
        <div class="fields">
          <label>
            Recent and examples
            <Choice
              key={JSON.stringify(recent)}
              entries={[...recent, ...EXAMPLE_ENTRIES]}
              own={recent.length}
            />
          </label>
          <label hidden={endpoints.length < 2}>
            Endpoint
            <select name="endpoint">
              {endpoints.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </label>
          <label>
            Operation
            <select name="op">
              <option>run</option>
              <option>runsync</option>
            </select>
          </label>
        </div>
        <label>
          Body (section 2.1)
          <textarea
            name="body"
            rows={6}
            required
            value={EXAMPLE_ENTRIES[0]!.body}
            onKeyDown={onKeyDown}
            {...VERBATIM}
          />
        </label>
        <p class="bad-text" role="alert">
          {wrong}
        </p>
        <div class="buttons">
          <button class="first">Submit</button>
          {recent.length > 0 && <Button press={() => remember([])}>Forget recent</Button>}
        </div>
      </form>
    </section>
  );
}
