import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import {
  type CellGroups,
  groupRanges,
  type MarkerTest,
  statisticsBytes,
  statisticsIn,
  type StatisticsShape,
} from '@cellfolio/analysis';
import { groupsOfScreen, type PlannedBlock, planScreen, screen, writeScreen } from '../data/screen.ts';
import { processMemory } from '../measure/child.ts';
import { type Spent, stopwatch } from '../measure/result.ts';
import type { RankedGroups, ScreenTask } from './test-thread.ts';
// Tests the guides of a screen in a process of its own, reading its file block by block, by tasks as those of the server:
//     node measure-ours.ts FILE CELLS GENES GROUPS THREADS ROUNDS
const [file, ...numbers] = process.argv.slice(2) as [string, ...string[]];
const [cells, genes, groupCount, threads, rounds] = numbers.map(Number) as [
  number,
  number,
  number,
  number,
  number,
];

const common = { tieCorrect: true, pseudocount: 1, minCells: 2 } as const;
const tests: Readonly<Record<'rest' | 'reference' | 'tTest', MarkerTest>> = {
  rest: { method: 'wilcoxon', ...common },
  reference: { method: 'wilcoxon', ...common, reference: 0 },
  tTest: { method: 't-test', ...common, reference: 0 },
};

const workers = Array.from(
  { length: threads },
  () => new Worker(new URL('./test-thread.ts', import.meta.url)),
);

async function runAll<Result>(tasks: readonly ScreenTask[]): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  await Promise.all(
    workers.map(async (worker) => {
      while (next < tasks.length) {
        const at = next++;
        const answered = once(worker, 'message') as Promise<[Result]>;
        worker.postMessage(tasks[at]);
        [results[at]] = await answered;
      }
    }),
  );
  return results;
}

/** Sums of all genes, and then the ranking of all groups. */
async function testGuides(of: Screened, test: MarkerTest): Promise<RankedGroups[]> {
  const { file, blocks, groups, geneCount, memory } = of;
  const shape = shapeOf(of, test);
  const tested = { groups, test, statistics: statisticsIn(memory, shape) };
  await runAll(blocks.map((block) => ({ kind: 'sum', file, block, tested })));
  const ranges = groupRanges(groups.names.length, geneCount);
  const whole = [1, Math.floor(groups.names.length / 2)];
  return runAll<RankedGroups>(ranges.map(({ from, to }) => ({ kind: 'rank', tested, from, to, whole })));
}

interface Screened {
  readonly file: string;
  readonly blocks: readonly PlannedBlock[];
  readonly groups: CellGroups;
  readonly geneCount: number;
  /** Room for the statistics of every test, shared with the threads. */
  readonly memory: SharedArrayBuffer;
}

function shapeOf(
  { groups, geneCount }: Pick<Screened, 'groups' | 'geneCount'>,
  { method, reference }: MarkerTest,
): StatisticsShape {
  return {
    method,
    reference: method === 'wilcoxon' ? reference : undefined,
    firstGene: 0,
    geneCount,
    slotCount: groups.names.length + 1,
  };
}

function screened(path: string, size: { cells: number; genes: number; groups: number }): Screened {
  const { labels, blocks } = planScreen(path, size);
  const groups = groupsOfScreen(labels, size.groups);
  const bytes = Object.values(tests).map((test) =>
    statisticsBytes(shapeOf({ groups, geneCount: size.genes }, test)),
  );
  const memory = new SharedArrayBuffer(Math.max(...bytes));
  return { file: path, blocks, groups, geneCount: size.genes, memory };
}

/** From here on the peak is that of what follows: proc(5), clear_refs. */
const resetPeak = () => writeFileSync('/proc/self/clear_refs', '5');

// Machine code is made at the first calls, as that of the peer is.
const warmUp = `${file}.small`;
const small = { cells: 3000, genes: 300, groups: 100, density: 0.1 };
await writeScreen(warmUp, screen(small));
for (const test of Object.values(tests)) await testGuides(screened(warmUp, small), test);
await rm(warmUp);

const all = screened(file, { cells, genes, groups: groupCount });
const answers: Record<string, object> = {};
for (const [name, test] of Object.entries(tests)) {
  const spent: Spent[] = [];
  let ranked: RankedGroups[] = [];
  resetPeak();
  for (let round = 0; round < rounds; round++) {
    const watch = stopwatch();
    ranked = await testGuides(all, test);
    spent.push(watch());
  }
  answers[name] = {
    spent,
    peak: processMemory('self').peak,
    significant: ranked.reduce((sum, one) => sum + one.significant, 0),
    tested: ranked.reduce((sum, one) => sum + one.markers.length, 0),
    pvals: ranked.flatMap(({ pvals }) =>
      pvals.map(({ group, values }) => ({ group, values: Array.from(values) })),
    ),
  };
}
await Promise.all(workers.map((worker) => worker.terminate()));
process.stdout.write(`${JSON.stringify(answers)}\n`);
