/** A bucket name derived from the path of `endpointUrl`: a client that drops the path still identifies the storage. */
export function bucketAt(storageUrl: string): string {
  return new URL(storageUrl).pathname.slice(1).replace(/[^A-Za-z0-9]+/g, '-');
}
