/**
 * `known-clients/` judges official clients as they are, and says where in their source each violation comes from. It
 * changes no client. docs/clients.md is made from what is here and from `results.json`.
 */

/** A violation that was confirmed by reading the client. */
interface Finding {
  readonly rule: string;
  /** What the client does, in words. */
  readonly does: string;
  /** Where, in words. */
  readonly where: string;
  /** The line of its source; absent where it shows by what the source lacks. */
  readonly line?: string;
}

export interface KnownClient {
  /** Of the package. */
  readonly name: string;
  readonly registry: 'npm' | 'pip';
  readonly version: string;
  /** What else was judged, or was not. */
  readonly note?: string;
  /** Below the folder of the package. */
  readonly source: string;
  /** Names of the programs in `programs/`, with the calls of the client that each makes. */
  readonly programs: { readonly [file: string]: string };
  readonly findings: readonly Finding[];
  /** Not a dependency of this repository, because it installs more than 30 MB; `--install` installs it. */
  readonly onRequest?: true;
}

/** Follows from the others: a program that uses the client ends as the client does. */
export const CONSEQUENCE = 'client/ending';
/** More than 200 calls of a loop without pause fit into a second, or not: that is the machine, and not the client. */
export const BY_SPEED = 'client/within-limits';

/** What jobs return, so that clients of image and video models find what they look for. */
export const OUTPUT = {
  video_url: 'https://example.invalid/a.mp4',
  image_url: 'data:image/png;base64,iVBORw0KGgo=',
};

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    name: 'runpod-sdk',
    registry: 'npm',
    version: '1.1.2',
    source: 'src/index.ts',
    programs: {
      'sdk-stream.mjs': '`run()`, `stream()`',
      'sdk-run-sync.mjs': '`runSync()`',
      'sdk-status.mjs': '`run()`, `status()`',
    },
    findings: [
      {
        rule: 'client/no-body',
        does: '`cancel()` sends a body, `{}`',
        where: '`cancel` posts an empty object',
        line: 'return handleErrors(axios.post(url, {}, { ...authHeader, timeout }))',
      },
      {
        rule: 'client/poll-pause',
        does: '`stream()` reads `/stream` again as soon as it has the reply: some hundred calls in a second',
        where: '`stream`: the loop has no pause',
        line: 'while (!completed) {',
      },
      {
        rule: BY_SPEED,
        does: 'on a fast machine, `stream()` reads more than 2,000 times in ten seconds',
        where: '`stream`: the loop has no pause',
        line: 'while (!completed) {',
      },
      {
        rule: 'client/success-is-completed',
        does: '`stream()` ends in the same way, without an error, whether the job is COMPLETED, FAILED, CANCELLED or TIMED_OUT',
        where: '`stream`: any final state ends it',
        line: 'if (isCompleted(resp.status)) {',
      },
      {
        rule: 'client/waits-end',
        does: '`stream()` waits for ever for a job that never starts, unless it is given a timeout',
        where: '`stream`: the default is no limit',
        line: 'timeout: number = 0',
      },
      {
        rule: 'client/retries-rate-limited',
        does: 'every call throws a 429 to the caller, with or without `Retry-After`',
        where: '`handleErrors`, `handleErrorsStatus`: nothing is repeated',
        line: 'const resp = await axiosRequest',
      },
      {
        rule: 'client/retries-reads',
        does: 'every method throws at the first failed read; the caller cannot continue a stream then',
        where: '`handleErrors`, `handleErrorsStatus`: nothing is repeated',
        line: 'const resp = await axiosRequest',
      },
      {
        rule: 'client/leaves-no-job',
        does: '`stream()` and `runSync()` throw, and the job runs on',
        where: 'no method but `cancel()` calls `/cancel`',
      },
    ],
  },
  {
    name: '@runpod/ai-sdk-provider',
    registry: 'npm',
    version: '1.4.0',
    note: 'Its models were called as the package `ai` calls them, with `doGenerate()`. That package, which can repeat a whole call, was not judged.',
    source: 'dist/index.mjs',
    programs: { 'ai-video.mjs': 'a video model', 'ai-image.mjs': 'an image model' },
    findings: [
      {
        rule: 'client/stops-at-cancelled',
        does: 'a video model keeps reading a job that is CANCELLED until its attempts are used up',
        where: '`pollForCompletion` ends at COMPLETED and FAILED alone',
        line: 'if (typedStatusResponse.status === "FAILED") {',
      },
      {
        rule: 'client/stops-at-timed-out',
        does: 'a video model keeps reading a job that is TIMED_OUT until its attempts are used up',
        where: '`pollForCompletion` ends at COMPLETED and FAILED alone',
        line: 'if (typedStatusResponse.status === "FAILED") {',
      },
      {
        rule: 'client/waits-end',
        does: 'it waits more than three minutes for a reply that never comes',
        where: 'only the `abortSignal` of the caller ends a call',
        line: 'fetch: this.config.fetch',
      },
      {
        rule: 'client/retries-rate-limited',
        does: 'it throws a 429 to its caller, with or without `Retry-After`',
        where: '`postJsonToApi`, `getFromApi`: nothing is repeated',
        line: 'failedResponseHandler: runpodVideoFailedResponseHandler,',
      },
      {
        rule: 'client/retries-reads',
        does: 'it throws at the first failed read; a repeated call would submit a second job',
        where: '`getFromApi`: nothing is repeated',
        line: 'failedResponseHandler: runpodVideoFailedResponseHandler,',
      },
      {
        rule: 'client/leaves-no-job',
        does: 'it throws, and the job runs on',
        where: '`/cancel` is called nowhere',
      },
    ],
  },
  {
    name: '@runpod/mcp-server',
    registry: 'npm',
    version: '4.0.0',
    source: 'dist/stdio.mjs',
    onRequest: true,
    programs: { 'mcp-stream-job.mjs': 'the tools `run-endpoint`, `stream-job`' },
    findings: [
      {
        rule: 'client/honours-retry-after',
        does: 'after a 503 with `Retry-After: 2`, `stream-job` reads again after one second',
        where: '`pollUntilTerminal`: the pause is always the same',
        line: 'await sleep(Math.min(deps.pollIntervalMs, remainingMs));',
      },
      {
        rule: 'client/retries-rate-limited',
        does: '`run-endpoint` and `stream-job` end at a 429; `stream-job` repeats 408 and codes from 500 on',
        where: '`pollUntilTerminal`: any other code from 400 to 499 ends it',
        line: 'if (error instanceof HttpError && error.status >= 400 && error.status < 500 && error.status !== 408) {',
      },
      {
        rule: 'client/leaves-no-job',
        does: '`stream-job` gives up, and the job runs on, unless the agent calls `cancel-job`',
        where: 'no tool but `cancel-job` calls `/cancel`',
      },
    ],
  },
  {
    name: 'runpod',
    registry: 'pip',
    version: '07fc6e2b',
    note: 'This is its repository as of 10 August 2026. Stubs stood in for three packages that it imports: aiohttp-retry, InquirerPy, tqdm-loggable.',
    source: 'endpoint/runner.py',
    programs: {
      'python-run-sync.py': '`run_sync()`',
      'python-output.py': '`run()`, `output()`',
      'python-stream.py': '`run()`, `stream()`',
    },
    findings: [
      {
        rule: 'client/success-is-completed',
        does: '`run_sync()` returns the output, which is None, of a job that is FAILED, CANCELLED or TIMED_OUT; `stream()` ends as if a failed job had succeeded',
        where: '`run_sync`: any final state returns; `stream`: any final state breaks',
        line: 'if job_request["status"] in FINAL_STATES:',
      },
      {
        rule: 'client/stops-at-cancelled',
        does: '`stream()` reads on for ever once the job is CANCELLED',
        where: '`FINAL_STATES` lacks CANCELLED, which `is_completed` has',
        line: 'elif stream_partial["status"] in FINAL_STATES:',
      },
      {
        rule: 'client/waits-end',
        does: '`stream()` waits for ever for a job that never starts',
        where: '`stream`: the loop has no time limit, and no option sets one',
        line: 'while True:',
      },
      {
        rule: 'client/retries-rate-limited',
        does: 'it raises a 429 of `/run` and `/runsync` at once; after a 429, it repeats a read up to five times',
        where: 'these retries repeat no POST',
        line: 'retries = Retry(total=5, backoff_factor=1, status_forcelist=[408, 429])',
      },
      {
        rule: 'client/retries-reads',
        does: 'it raises an error if a read gets 500, 502 or 504, or if the reply breaks off',
        where: '`status_forcelist` has none of these codes',
        line: 'retries = Retry(total=5, backoff_factor=1, status_forcelist=[408, 429])',
      },
      {
        rule: 'client/leaves-no-job',
        does: 'it raises, and the job runs on',
        where: 'no method but `cancel()` calls `/cancel`',
      },
    ],
  },
];
