/** The processes that a program has started, also those that have left its group; only Linux tells of them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** By this variable they are recognised, unless they have an environment of their own. */
export const MARK = 'RUNPROOF_CLIENT';
const LOOK_EVERY_MS = 200;

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Tells two processes apart that had the same number, one after the other. */
  readonly started: string;
}

export class Family {
  readonly #known = new Map<number, string>();
  readonly #mark: string;
  /** Its standard output and error, as the system names them. */
  readonly #pipes = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param pid of the program, which has just been started; undefined where it was not */
  constructor(pid: number | undefined, mark: string) {
    this.#mark = `${MARK}=${mark}`;
    if (pid === undefined || process.platform !== 'linux') return;
    for (const fd of [1, 2]) this.#pipes.add(linkOf(`/proc/${pid}/fd/${fd}`));
    this.#pipes.delete('');
    this.#known.set(pid, startOf(pid) ?? '');
    // A process whose parent has ended no longer shows whose child it was.
    this.#timer = setInterval(() => this.#look(LOOK_EVERY_MS / 2), LOOK_EVERY_MS).unref();
  }

  /** Kills all of them. */
  end(): void {
    clearInterval(this.#timer);
    if (process.platform !== 'linux') return;
    // What is started while it looks is found at the second look.
    for (let look = 0; look < 2; look++) {
      const processes = this.#look(0);
      for (const { pid, started } of processes) {
        if (pid === process.pid) continue;
        if (this.#known.get(pid) === started || this.#isOfIt(pid)) kill(pid);
      }
    }
  }

  /** Notes the children of those that are known, and gives all processes. @param agedMs how old the list of them may be */
  #look(agedMs: number): readonly Process[] {
    const processes = allProcesses(agedMs);
    for (let found = true; found;) {
      found = false;
      for (const { pid, parent, started } of processes) {
        if (this.#known.get(pid) === started || !this.#isAlive(parent, processes)) continue;
        this.#known.set(pid, started);
        found = true;
      }
    }
    return processes;
  }

  #isAlive(pid: number, processes: readonly Process[]): boolean {
    const started = this.#known.get(pid);
    return started !== undefined && processes.some((each) => each.pid === pid && each.started === started);
  }

  #isOfIt(pid: number): boolean {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.#mark)) return true;
      return readdirSync(`/proc/${pid}/fd`).some((fd) => this.#pipes.has(linkOf(`/proc/${pid}/fd/${fd}`)));
    } catch {
      // It is gone, or of another user.
      return false;
    }
  }
}

/** As they were when they were last read, if that is not too long ago: many families look at the same ones. */
let read: { readonly atMs: number; readonly processes: Process[] } = { atMs: -Infinity, processes: [] };

function allProcesses(agedMs: number): readonly Process[] {
  if (performance.now() - read.atMs > agedMs) read = { processes: readProcesses(), atMs: performance.now() };
  return read.processes;
}

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const fields = Number.isInteger(pid) ? fieldsOf(pid) : null;
    return fields === null ? [] : [{ pid, parent: Number(fields[1]), started: fields[19]! }];
  });
}

const startOf = (pid: number): string | undefined => fieldsOf(pid)?.[19];

/** The fields of its `stat` that follow its name, which may have spaces; null where it is gone. */
function fieldsOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
