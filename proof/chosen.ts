/** Whether an id is asked for: by itself or by its beginning followed by `*`; without any wish all are. */
export function chosen(id: string, only: readonly string[]): boolean {
  return (
    only.length === 0 ||
    only.some((wish) => (wish.endsWith('*') ? id.startsWith(wish.slice(0, -1)) : id === wish))
  );
}
