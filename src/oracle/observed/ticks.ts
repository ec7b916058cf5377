/** Which positions of a history's one count of sendings and ends have been accounted for: the others are calls under way. */
export class Ticks {
  /** The position after the highest seen. */
  next = 0;
  /** Positions below that were not seen, from and up to, in order. There are about as many as calls under way. */
  private gaps: { readonly from: number; readonly to: number }[] = [];

  see(tick: number | null): void {
    if (tick === null) return;
    if (tick > this.next) this.gaps.push({ from: this.next, to: tick });
    if (tick >= this.next) this.next = tick + 1;
    else this.fill(tick);
  }

  seeAll(): void {
    this.gaps = [];
  }

  /** Everything that was sent before this position has ended. */
  allBefore(tick: number): boolean {
    return tick <= (this.gaps[0]?.from ?? this.next);
  }

  private fill(tick: number): void {
    const at = this.gaps.findIndex(({ from, to }) => from <= tick && tick < to);
    if (at < 0) return;
    const { from, to } = this.gaps[at]!;
    const left = [
      { from, to: tick },
      { from: tick + 1, to },
    ].filter((gap) => gap.from < gap.to);
    this.gaps.splice(at, 1, ...left);
  }
}
