/** Edits (insert, delete, replace, swap neighbours) between two words, up to a bound that matters to nobody. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** How far a wish is from a word: an abbreviation or a part of the word counts as near. */
function distanceToWord(wish: string, word: string): number {
  const a = wish.toLowerCase();
  const b = word.toLowerCase();
  const tail = b.slice(b.lastIndexOf('/') + 1);
  const edits = Math.min(distance(a, b), distance(a, tail));
  return a.length >= 3 && (b.includes(a) || a.includes(b)) ? Math.min(edits, 1) : edits;
}

/** The words that the user may have meant, nearest first, at most three. */
export function nearest(wish: string, words: readonly string[]): readonly string[] {
  const reach = Math.max(2, Math.floor(wish.length * 0.4));
  return words
    .map((word, index) => ({ word, index, far: distanceToWord(wish, word) }))
    .filter(({ far }) => far <= reach)
    .sort((a, b) => a.far - b.far || a.index - b.index)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** ` Did you mean a, b or c?`, or nothing. */
export function didYouMean(wish: string, words: readonly string[]): string {
  const near = nearest(wish, words);
  if (near.length === 0) return '';
  const last = near.at(-1) ?? '';
  return ` Did you mean ${near.length === 1 ? last : `${near.slice(0, -1).join(', ')} or ${last}`}?`;
}
