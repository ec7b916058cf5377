/** The part between two slashes of a path, from 0, as `path.split('/')` counts them; empty where there is none. */
export function segmentAt(path: string, index: number): string {
  let from = 0;
  for (let passed = 0; passed < index; passed += 1) {
    from = path.indexOf('/', from) + 1;
    if (from === 0) return '';
  }
  const end = path.indexOf('/', from);
  return end === -1 ? path.slice(from) : path.slice(from, end);
}
