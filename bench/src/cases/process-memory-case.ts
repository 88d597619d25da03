import { type BenchCase, sizeOf } from '../bench-context.ts';
import { runForJson } from '../measure/child.ts';
import { mebibyte } from '../measure/process-memory.ts';
import { paths } from '../paths.ts';

interface SimulatedRun {
  readonly seconds: number;
  readonly peak: number;
  readonly needed: number;
  readonly entryCount: number;
  readonly clusters: number;
}

/** The whole of a process that processes raw counts, and what was foretold of it. */
export const processMemoryCase: BenchCase = {
  name: 'process-memory',
  title: 'raw counts of 50,000 cells x 20,000 genes to UMAP: memory of the process',
  async run({ options }) {
    const { cells, genes, density } = sizeOf(options, { cells: 50_000, genes: 20_000 });
    const args = [paths.processSimulated, ...[cells, genes, density].map(String)];
    const run = (await runForJson(process.execPath, args)) as SimulatedRun;
    return {
      results: [
        {
          quantity: 'peak resident memory',
          unit: 'MiB',
          ours: [run.peak / mebibyte],
          target: { kind: 'each-at-most', limit: 2048 },
        },
        {
          quantity: 'peak beyond what memoryNeeded foretells',
          unit: 'MiB',
          ours: [(run.peak - run.needed) / mebibyte],
          target: { kind: 'each-at-most', limit: 0 },
        },
        { quantity: 'time, with the simulation', unit: 's', ours: [run.seconds] },
      ],
      notes: [
        `${cells} cells x ${genes} genes, ${run.entryCount} entries; ${run.clusters} clusters found of 15`,
      ],
    };
  },
};
