/** A bucket that only the storage at this address has: who leaves the path of `endpointUrl` out still names it. */
export function bucketAt(storageUrl: string): string {
  return new URL(storageUrl).pathname.slice(1).replace(/[^A-Za-z0-9]+/g, '-');
}
