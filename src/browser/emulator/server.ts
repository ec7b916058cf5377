/** Whatever asks the server: what the page shows, and everything that changes something. */
import type { Advanced, CallState, FaultChange, JobState, PageState } from '../../server/page/page-state.js';
import { change, page, say } from './page.js';
import { clockTime } from './times.js';

const SHOWN_EVERY_MS = 700;
const HIDDEN_EVERY_MS = 5_000;
const AGAIN_MS = 1_000;

const TOKEN = document.querySelector<HTMLMetaElement>('meta[name="runproof-token"]')!.content;
let key = sessionStorage.getItem('key');
const keyUsed = (): string | null => key ?? page.state?.publishedKey ?? null;

const request = (method: 'GET' | 'POST', body: string | null, more = {}): RequestInit => {
  const used = keyUsed();
  const headers = {
    'x-runproof-page': TOKEN,
    ...(used !== null && { authorization: used }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  return { method, body, cache: 'no-store', headers: { ...headers, ...more } };
};
const get = (path: string): Promise<Response> =>
  fetch(path, { ...request('GET', null), signal: AbortSignal.timeout(5_000) });
const act = (path: string, body: FaultChange | null = null): Promise<Response> =>
  fetch(path, {
    ...request('POST', body && JSON.stringify(body)),
    signal: AbortSignal.timeout(60_000),
  });
const read = async <T>(reply: Response): Promise<T> => (await reply.json()) as T;

const askForKey = (why: string): void => change({ keyWhy: `${why} It is kept in this tab only.` });

function hasKey(why: string): boolean {
  if (keyUsed() === null) askForKey(`${why}, this page needs an API key, as the API does.`);
  return keyUsed() !== null;
}

export function useKey(typed: string): void {
  key = typed.trim();
  sessionStorage.setItem('key', key);
  change({ keyWhy: null });
  void refresh();
}

function refuseKey(): void {
  key = null;
  sessionStorage.removeItem('key');
  closeJob();
  change({ call: null });
  askForKey('The API key is not accepted.');
}

let timer: ReturnType<typeof setTimeout>;
export async function refresh(): Promise<void> {
  clearTimeout(timer);
  let pauseMs = document.hidden ? HIDDEN_EVERY_MS : SHOWN_EVERY_MS;
  try {
    const { filter } = page;
    const reply = await get(`/_page/state?${query({ filter })}`);
    if (reply.status === 401) {
      change({ link: 'waiting for the key' });
      if (page.keyWhy === null)
        askForKey('Other machines can reach this server, so the page needs an API key.');
      return;
    }
    if (!reply.ok) throw new Error(String(reply.status));
    const isFirst = page.state === null;
    const state = await read<PageState>(reply);
    // What was typed meanwhile is asked for already.
    if (filter !== page.filter) return;
    change({ state, link: 'live' });
    if (isFirst) openFromAddress();
    else await refreshJob();
  } catch {
    change({ link: 'connection lost, trying again' });
    pauseMs = AGAIN_MS;
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, pauseMs);
}

interface Answer {
  readonly id?: string;
  readonly status?: string;
  readonly removed?: number;
  readonly error?: string;
}

/**
 * Null when there is no answer, or none that may be used; what is wrong was said.
 * @param what the name of the act
 */
async function post<T>(what: string, send: () => Promise<Response>): Promise<T | null> {
  if (!hasKey('To act')) return null;
  try {
    const reply = await send();
    const answer = await read<(T & Answer) | null>(reply).catch(() => null);
    if (reply.ok) return answer ?? ({} as T);
    if (reply.status === 401) refuseKey();
    else say(false, `${what}: ${reply.status}, ${answer?.error ?? 'refused'}`);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    say(false, `${what}: ${isLate ? 'no answer yet' : 'no answer'}`);
  }
  return null;
}

/** A call of the API, without faults on demand. It may wait for as long as a job runs. */
export async function callApi(what: string, endpoint: string, path: string, body: string | null = null) {
  const url = `/v2/${encodeURIComponent(endpoint)}/${path}`;
  const answer = await post<Answer>(what, () =>
    fetch(url, request('POST', body, { 'x-runproof-fault': 'none' })),
  );
  if (answer !== null) {
    const removed = answer.removed === undefined ? undefined : `${answer.removed} removed`;
    const told = [answer.id, answer.status, removed].filter((part) => part !== undefined);
    say(true, `${what}: ${told.join(', ')}`);
  }
  await refresh();
}

/** @param how the query: by a time, to the next event, or until a job ends */
export async function advance(how: { readonly [name: string]: string | number }): Promise<void> {
  change({ busy: true });
  const answer = await post<Advanced>('advance', () => act(`/_page/advance?${query(how)}`));
  change({ busy: false });
  if (answer?.ended === false) say(false, 'Nothing more is due, and the job has not ended.');
  else if (answer !== null) say(true, `now ${clockTime(answer.nowMs)}`);
  await refresh();
}

/** The job's list of webhook calls shows what comes of it. */
export async function resendWebhook(endpoint: string, id: string): Promise<void> {
  await post('resend the webhook', () => act(`/_page/webhook?${query({ endpoint, id })}`));
  await refresh();
}

/** Whether it was accepted. */
export async function changeFaults(what: string, wanted: FaultChange): Promise<boolean> {
  const answer = await post(what, () => act('/_page/faults', wanted));
  await refresh();
  return answer !== null;
}

const query = (members: { readonly [name: string]: string | number }): string =>
  Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** The address of the page names the job. */
export function openJob(endpoint: string, id: string): void {
  if (!hasKey('To open jobs')) return;
  history.replaceState(null, '', `#job/${encodeURIComponent(endpoint)}/${encodeURIComponent(id)}`);
  change({ job: { endpoint, id, job: null, why: null } });
  void refreshJob();
}

export function closeJob(): void {
  change({ job: null });
  history.replaceState(null, '', location.pathname + location.search);
}

/** The address of the page keeps it. */
export function show(filter: string): void {
  change({ filter });
  const search = filter === '' ? '' : `?${query({ filter })}`;
  history.replaceState(null, '', location.pathname + search + location.hash);
  void refresh();
}

function openFromAddress(): void {
  const [kind, endpoint, id] = location.hash.slice(1).split('/').map(decodeURIComponent);
  if (kind === 'job' && endpoint !== undefined && id !== undefined) openJob(endpoint, id);
}

const GONE = 'This job no longer exists. Its last known state follows.';

async function refreshJob(): Promise<void> {
  const asked = page.job;
  if (asked === null || asked.why === GONE) return;
  const { endpoint, id } = asked;
  const reply = await get(`/_page/job?${query({ endpoint, id })}`);
  const answer = await read<JobState & Answer>(reply);
  if (page.job?.id !== id) return;
  if (reply.status === 401) refuseKey();
  else if (reply.ok) change({ job: { ...asked, job: answer, why: null } });
  else change({ job: { ...page.job, why: reply.status === 404 ? GONE : (answer.error ?? '') } });
}

/** The script goes into a file of the browser's downloads. */
export async function saveCalls(): Promise<void> {
  if (!hasKey('To save calls')) return;
  const script = await post<{ readonly title: string }>('save the calls', () => get('/_page/calls.json'));
  if (script === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(script, null, 2)}\n`], { type: 'application/json' }),
  );
  link.download = 'calls.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  const edition = page.state!.edition === 'document' ? '' : ` --edition ${page.state!.edition}`;
  say(true, `${script.title}. To make the calls again: ${page.state!.program} replay calls.json${edition}`);
}

export async function openCall(number: number): Promise<void> {
  if (!hasKey('To open calls')) return;
  const call = await post<CallState>('open a call', () => get(`/_page/call?number=${number}`));
  if (call !== null) change({ call });
}
