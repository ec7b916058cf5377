import { request } from 'undici';

interface WorkerAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- specs reach into bodies of every shape
  readonly json: any;
}

interface CallOptions {
  readonly apiKey?: string;
  readonly signal?: AbortSignal;
}

/** A worker as the official Python SDK calls: the same addresses, header fields and bodies. */
export interface SdkWorker {
  take(options?: CallOptions): Promise<WorkerAnswer>;
  takeBatch(size: number | string, options?: CallOptions): Promise<WorkerAnswer>;
  stops(options?: CallOptions): Promise<WorkerAnswer>;
  ping(jobs?: string | null, options?: CallOptions): Promise<WorkerAnswer>;
  /** `body` is sent unchanged when it is a string. */
  stream(job: string, body: unknown, options?: CallOptions): Promise<WorkerAnswer>;
  done(job: string, body: unknown, isStream?: boolean, options?: CallOptions): Promise<WorkerAnswer>;
}

/** @param base `{base_url}/v2/<endpoint_id>` */
export function createSdkWorker(base: string, id: string, key: string): SdkWorker {
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    job: string,
    options: CallOptions,
  ) {
    const reply = await request(base + path, {
      method,
      headers: {
        authorization: options.apiKey ?? key,
        'user-agent': 'RunPod-Python-SDK',
        // Sessions of the SDK say JSON; what it posts says otherwise.
        'content-type': method === 'GET' ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(method === 'POST' && { charset: 'utf-8', 'x-request-id': job }),
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    });
    const text = await reply.body.text();
    const json = text === '' ? undefined : (JSON.parse(text) as unknown);
    return { status: reply.statusCode, headers: reply.headers, text, json };
  }
  const get = (path: string, options: CallOptions = {}) => call('GET', path, undefined, '', options);
  return {
    take: (options) => get(`/job-take/${id}?gpu=SIM&job_in_progress=0`, options),
    takeBatch: (size, options) =>
      get(`/job-take-batch/${id}?gpu=SIM&batch_size=${size}&job_in_progress=0`, options),
    stops: (options) => get(`/job-stop/${id}?gpu=SIM`, options),
    ping(jobs = null, options) {
      const named = jobs === null ? '' : `job_id=${encodeURIComponent(jobs)}&`;
      return get(`/ping/${id}?${named}runpod_version=1.7.13`, options);
    },
    stream: (job, body, options = {}) =>
      call('POST', `/job-stream/${id}/${job}?gpu=SIM&isStream=false`, body, job, options),
    done: (job, body, isStream = false, options = {}) =>
      call('POST', `/job-done/${id}/${job}?gpu=SIM&isStream=${isStream}`, body, job, options),
  };
}
