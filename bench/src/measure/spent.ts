import type { Result } from './result.ts';

/** Wall-clock seconds, and processor seconds, which other load affects less. */
export type Spent = readonly [clock: number, processor: number];

export function stopwatch(): () => Spent {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return [(performance.now() - clock) / 1000, (user + system) / 1e6];
  };
}

export function spentResults(
  quantity: string,
  ours: readonly Spent[],
  peer: readonly Spent[] | undefined,
): Result[] {
  return (['by the clock', 'of the processor'] as const).map((which, at): Result => {
    const times = (runs: readonly Spent[]) => runs.map((spent) => spent[at]!);
    const own = { quantity: `${quantity}, ${which}`, unit: 's', ours: times(ours) } as const;
    return peer ? Object.assign(own, { peer: times(peer) }) : own;
  });
}

/** Seconds: wall-clock, and processor, which other load affects less. */
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

/** `call` returns its wall-clock milliseconds. */
export async function timed(
  { processor }: { readonly processor: () => number },
  call: () => Promise<number>,
): Promise<{ clock: number; processor: number }> {
  const before = processor();
  const milliseconds = await call();
  return { clock: milliseconds / 1000, processor: processor() - before };
}
