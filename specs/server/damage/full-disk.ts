import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system of its own, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk except for this many bytes. */
  fill(freeBytes: number): void;
  /** Gives it back. */
  free(): void;
  setWritable(is: boolean): void;
  unmount(): void;
}

const run = (...command: readonly string[]): boolean => spawnSync(command[0]!, command.slice(1)).status === 0;

/** Null where this process may not mount one. */
export function mountSmallDisk(folder: string, bytes: number): SmallDisk | null {
  mkdirSync(folder);
  if (process.platform !== 'linux' || !run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'none', folder)) {
    rmdirSync(folder);
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(freeBytes) {
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096'], { stdio: 'ignore' });
      if (freeBytes > 0) spawnSync('truncate', ['-s', `-${freeBytes}`, ballast]);
    },
    free: () => rmSync(ballast, { force: true }),
    setWritable: (is) => void run('mount', '-o', `remount,${is ? 'rw' : 'ro'}`, folder),
    unmount() {
      if (!run('umount', folder)) run('umount', '-l', folder);
      rmdirSync(folder);
    },
  };
}

export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-mount-'));
  const disk = mountSmallDisk(join(folder, 'disk'), 65_536);
  disk?.unmount();
  rmdirSync(folder);
  return disk !== null;
}
