/** In seconds: by the clock, and of the processor, which other work on the machine disturbs less. */
export interface Times {
  readonly clock: number[];
  readonly processor: number[];
}

export function newTimes(): Times {
  return { clock: [], processor: [] };
}

export function add(times: Times, { clock, processor }: { clock: number; processor: number }): void {
  times.clock.push(clock);
  times.processor.push(processor);
}

/** @param call returns its milliseconds by the clock */
export async function timed(
  { processor }: { readonly processor: () => number },
  call: () => Promise<number>,
): Promise<{ clock: number; processor: number }> {
  const before = processor();
  const milliseconds = await call();
  return { clock: milliseconds / 1000, processor: processor() - before };
}
