/** Whether `--only` selects an id: exact, or `prefix*`; empty selects all. */
export function chosen(id: string, only: readonly string[]): boolean {
  return (
    only.length === 0 ||
    only.some((wish) => (wish.endsWith('*') ? id.startsWith(wish.slice(0, -1)) : id === wish))
  );
}
