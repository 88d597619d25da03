import type { ThreadSums } from './transpose-tasks.ts';

export function threadSums(geneCount: number): ThreadSums {
  const zeros = () => new Int32Array(new SharedArrayBuffer(4 * geneCount));
  return { read: zeros(), normalised: zeros() };
}

export function totalSums(threads: readonly ThreadSums[], which: keyof ThreadSums): Int32Array {
  const total = new Int32Array(threads[0]![which].length);
  for (const { [which]: own } of threads)
    for (let gene = 0; gene < total.length; gene++) total[gene] = (total[gene]! + own[gene]!) | 0;
  return total;
}
