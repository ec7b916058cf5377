/** Parts that several sections have. */
import { useLayoutEffect, useRef, type Child } from 'hono/jsx/dom';
import type { JobStatus } from '../../spec/types.js';
import { page } from './page.js';
import { openJob } from './server.js';

interface ButtonParts {
  readonly class?: string;
  readonly label?: string;
  readonly off?: boolean;
  readonly press: () => unknown;
  readonly children: Child;
}

/** @param props `label`: what it does, where its text does not say; `off`: it cannot be pressed now */
export const Button = ({ class: name, label, off = false, press, children }: ButtonParts) => (
  <button type="button" class={name} aria-label={label} disabled={off} onClick={() => void press()}>
    {children}
  </button>
);

interface FieldFormParts {
  readonly id: string;
  readonly class?: string;
  readonly label?: string;
  readonly button: string;
  readonly off?: boolean;
  /** Attributes of the field. */
  readonly field: { readonly [attribute: string]: string | number };
  readonly send: (text: string, form: HTMLFormElement) => unknown;
  readonly children?: Child;
}

/** What is typed is no prose. */
export const VERBATIM: { readonly [attribute: string]: string } = {
  ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
};

/** A form of one field. */
export function FieldForm({
  id,
  class: name,
  label,
  button,
  off = false,
  field,
  send,
  children,
}: FieldFormParts) {
  const submit = (event: Event): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void send(String(new FormData(form).get(id)), form);
  };
  return (
    <form id={`${id}-form`} class={name} onSubmit={submit}>
      {label !== undefined && <label for={id}>{label}</label>}
      <input id={id} name={id} required {...VERBATIM} {...field} />
      <button disabled={off}>{button}</button>
      {children}
    </form>
  );
}

/** The class of its colour, and its sign. */
export type Look = readonly [kind: string, sign: string];

export const STATUS: { readonly [status in JobStatus]: Look } = {
  IN_QUEUE: ['wait', '○'],
  IN_PROGRESS: ['run', '▸'],
  COMPLETED: ['good', '✓'],
  FAILED: ['bad', '✕'],
  CANCELLED: ['over', '–'],
  TIMED_OUT: ['bad', '!'],
};

interface PillParts {
  readonly look: Look;
  readonly words: string | number;
}

export const Pill = ({ look: [kind, sign], words }: PillParts) => (
  <span class={`pill ${kind}`}>{`${sign} ${words}`}</span>
);

interface TableParts {
  readonly class: string;
  readonly label?: string;
  readonly columns: readonly string[];
  /** The column from which on there are numbers. */
  readonly numbersFrom: number;
  readonly children: Child;
}

export const Table = ({ class: name, label, columns, numbersFrom, children }: TableParts) => (
  <div class="scroll">
    <table class={name} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th scope="col" class={at < numbersFrom ? '' : 'number'}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul class="plain">
    {lines.map((line) => (
      <li>{line}</li>
    ))}
  </ul>
);

export const short = (id: string): string => (id.length > 13 ? `${id.slice(0, 12)}…` : id);

interface JobNameParts {
  readonly endpoint: string;
  readonly id: string;
  readonly text: string;
}

/** Opens the job, where the page may. */
export const JobName = ({ endpoint, id, text }: JobNameParts) =>
  page.state!.acts ? (
    <Button class="open" press={() => openJob(endpoint, id)}>
      {text}
    </Button>
  ) : (
    text
  );

export const Said = () => (
  <p id="said" role="status" class={page.said?.isGood === false ? 'bad' : 'good'} hidden={page.said === null}>
    {page.said?.words}
  </p>
);

interface DialogParts {
  readonly title: string;
  readonly pill: Child;
  readonly close: () => void;
  readonly children: Child;
}

export function Dialog({ title, pill, close, children }: DialogParts) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => ref.current!.showModal(), []);
  const end = (): void => ref.current?.close();
  const onClick = ({ target }: MouseEvent): void => void (target === ref.current && end());
  return (
    <dialog ref={ref} aria-labelledby="dialog-title" onClose={close} onClick={onClick}>
      <div class="job-head">
        <h2 id="dialog-title">{title}</h2>
        {pill}
        <Button press={end}>Close</Button>
      </div>
      {children}
      {/* It hides everything behind it. */}
      <Said />
    </dialog>
  );
}

/** A section of a dialog. */
export const Part = ({ title, children }: { readonly title: string; readonly children: Child }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
);

/** A text, or a value as JSON: a short one on one line. */
export function Value({ id, value }: { readonly id: string; readonly value: unknown }) {
  const line = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <pre id={id} tabindex={0}>
      {typeof value === 'string' || line.length <= 70 ? line : JSON.stringify(value, null, 2)}
    </pre>
  );
}
