import type { Result } from './result.ts';

/** Seconds by the clock, and of the processor, which other work on the machine disturbs less. */
export type Spent = readonly [clock: number, processor: number];

/** What has passed since, in this process. */
export function stopwatch(): () => Spent {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return [(performance.now() - clock) / 1000, (user + system) / 1e6];
  };
}

/** Both times of each run of some work, with those of the peer. */
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
