/** What the page knows. Every change of it shows the page anew. */
import type { CallState, JobState, PageState } from '../../server/page/page-state.js';

/** The job whose dialog is open. */
export interface OpenedJob {
  readonly endpoint: string;
  readonly id: string;
  /** As it was last seen; null before. */
  readonly job: JobState | null;
  /** Why it is not seen any more; null while it is. */
  readonly why: string | null;
}

interface Page {
  /** As the server last told it; null before. */
  readonly state: PageState | null;
  readonly link: 'connecting' | 'waiting for the key' | 'live' | 'connection lost, trying again';
  /** Why the page asks for a key; null: it does not. */
  readonly keyWhy: string | null;
  /** The clock is being advanced. */
  readonly busy: boolean;
  /** Which jobs and calls it shows: words as `serve --log-only` has them. */
  readonly filter: string;
  readonly job: OpenedJob | null;
  readonly call: CallState | null;
  /** What came of the last act, while that is shown. */
  readonly said: { readonly isGood: boolean; readonly words: string } | null;
}

export let page: Page = {
  ...{ state: null, link: 'connecting', keyWhy: null, busy: false, job: null, call: null, said: null },
  filter: new URLSearchParams(location.search).get('filter') ?? '',
};

let show: (page: Page) => void = () => {};
export const onChange = (shows: typeof show): void => void (show = shows);

export function change(changes: Partial<Page>): void {
  page = { ...page, ...changes };
  show(page);
}

let timer: ReturnType<typeof setTimeout>;
export function say(isGood: boolean, words: string): void {
  change({ said: { isGood, words } });
  clearTimeout(timer);
  timer = setTimeout(() => change({ said: null }), isGood ? 5_000 : 12_000);
}
