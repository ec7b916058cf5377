/** The value of a key, which is made and stored first if the map has none. */
export function getOrMake<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  let known = map.get(key);
  if (known === undefined) map.set(key, (known = make()));
  return known;
}
