/** What a service does that uses the storage of a job itself, which is the worker's business (section 2.3). */
import { request } from 'node:http';
import { isObject, type Json } from './json.js';

/** Puts the output below the whole of `endpointUrl`. */
export function storeOutput(s3Config: Json, id: string, output: Json): void {
  const storage = storageIn(s3Config);
  if (storage !== null) call('PUT', `${storage.url}/${storage.bucket}/${id}.json`, JSON.stringify(output));
}

/** Asks at the address without its path, as many clients of such storages do. */
export function lookForBucket(s3Config: Json): void {
  const storage = storageIn(s3Config);
  if (storage !== null) call('HEAD', new URL(`/${storage.bucket}`, storage.url).href, '');
}

/** Only on this machine: the faults are played in tests, which call nobody else. */
function storageIn(s3Config: Json): { readonly url: string; readonly bucket: string } | null {
  if (!isObject(s3Config)) return null;
  const { endpointUrl: url, bucketName: bucket } = s3Config;
  if (typeof url !== 'string' || typeof bucket !== 'string' || !URL.canParse(url)) return null;
  return new URL(url).hostname === '127.0.0.1' ? { url, bucket } : null;
}

function call(method: string, url: string, body: string): void {
  const calling = request(url, { method, agent: false }, (response) => response.resume());
  calling.on('error', () => undefined);
  calling.end(body);
}
