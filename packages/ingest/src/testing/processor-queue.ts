import { readdirSync, readFileSync } from 'node:fs';

/** How long a process could have gone on, had the others on the machine let it: for Linux, 0 elsewhere. */
export class ProcessorQueue {
  readonly #pid: number | undefined;
  readonly #before = new Map<string, number>();
  #seconds = 0;

  constructor(pid: number | undefined) {
    this.#pid = pid;
    this.#look();
    this.#seconds = 0;
  }

  /** Seconds since the making that its threads waited for a processor, of threads that wait together the longest. */
  waited(): number {
    this.#seconds += this.#look();
    return this.#seconds;
  }

  #look(): number {
    let longest = 0;
    for (const [thread, nanoseconds] of waitsOf(this.#pid)) {
      longest = Math.max(longest, nanoseconds - (this.#before.get(thread) ?? 0));
      this.#before.set(thread, nanoseconds);
    }
    return longest / 1e9;
  }
}

/** Per thread, as https://docs.kernel.org/scheduler/sched-stats.html tells; none where the system does not. */
function waitsOf(pid: number | undefined): [string, number][] {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).map((thread) => {
      const [, waited] = readFileSync(`${folder}/${thread}/schedstat`, 'latin1').split(' ');
      return [thread, Number(waited)];
    });
  } catch {
    return [];
  }
}
