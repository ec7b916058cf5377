/** The edit distance of two words: insertions, deletions, replacements, and swaps of neighbours. */
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

/** How far the typed word is from a known one. An abbreviation or a part of the word counts as near. */
function distanceToWord(typed: string, word: string): number {
  const a = typed.toLowerCase();
  const b = word.toLowerCase();
  const tail = b.slice(b.lastIndexOf('/') + 1);
  const edits = Math.min(distance(a, b), distance(a, tail));
  return a.length >= 3 && (b.includes(a) || a.includes(b)) ? Math.min(edits, 1) : edits;
}

/** The words that the user may have meant, each once, nearest first, at most three. */
export function nearest(typed: string, words: readonly string[]): readonly string[] {
  const reach = Math.max(2, Math.floor(typed.length * 0.4));
  return [...new Set(words)]
    .map((word, index) => ({ word, index, far: distanceToWord(typed, word) }))
    .filter(({ far }) => far <= reach)
    .sort((a, b) => a.far - b.far || a.index - b.index)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** ` Did you mean a, b or c?`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const near = nearest(typed, words);
  if (near.length === 0) return '';
  const last = near.at(-1) ?? '';
  return ` Did you mean ${near.length === 1 ? last : `${near.slice(0, -1).join(', ')} or ${last}`}?`;
}
