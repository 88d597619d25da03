interface Sample {
  /** Milliseconds. */
  at: number;
  bytes: number;
}

// Long enough that a slow chunk does not shake the figure, short enough that it follows the line.
const windowMs = 8000;
const shortestMs = 500;

/** How fast bytes go, over the last seconds. `add` and `rate` take the time, so that nothing here reads a clock. */
export class TransferRate {
  #samples: Sample[] = [];

  /** @param bytes gone so far */
  add(at: number, bytes: number): void {
    // Bytes that are sent again, after a line was cut, were not gone.
    if (bytes < (this.#samples.at(-1)?.bytes ?? 0)) this.#samples = [];
    this.#samples.push({ at, bytes });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= windowMs) this.#samples.shift();
  }

  /** Forgets what was before a pause. */
  reset(): void {
    this.#samples = [];
  }

  /** Bytes a second; `null` while too little is known. */
  rate(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < shortestMs) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

/** 'a few seconds left', '40 s left', '3 min left', '1 h 5 min left'; `null` where no rate is known. */
export function timeLeftText(remainingBytes: number, rate: number | null): string | null {
  if (rate === null || rate <= 0) return null;
  const seconds = remainingBytes / rate;
  if (seconds < 60) return seconds < 10 ? 'a few seconds left' : `${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  if (minutes >= 48 * 60) return `${Math.round(minutes / (24 * 60))} days left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
