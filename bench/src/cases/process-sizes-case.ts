import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { simulatedCountsFile } from '../data/simulated-counts.ts';
import { mebibyte, runForJson } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { paths } from '../paths.ts';

/** Output of a process that ran once from counts to a UMAP. Stages are in processor seconds. */
export interface ProcessRun {
  readonly seconds: number;
  readonly processor: number;
  readonly stages: Readonly<Record<string, number>>;
  readonly peak: number;
  readonly clusters: number;
  /** Share of the true nearest neighbours that the search returned, on a sample of cells. */
  readonly recall: number;
}

interface GroupsFound {
  readonly ours: number;
  readonly peer: number;
  readonly both: number;
}

/**
 * Seconds that kana takes on its authors' machine, by dataset size (Lun and Kancherla 2023, doi:10.21105/joss.05603).
 */
const kanaSeconds = new Map([
  [3005, 7],
  [10_368, 17.6],
  [25_806, 55],
  [68_937, 157],
  [104_417, 228],
  [173_954, 272],
]);
const genes = 20_000;
/** Maximum memory for processing the largest dataset, in MiB. */
const maxMemory = 2048;

export const processSizesCase: BenchCase = {
  name: 'process-sizes',
  title: `simulated counts of ${genes} genes to UMAP; peer: scanpy, warmed on the whole job`,
  async run({ options, scratch, python, report }) {
    const results: Result[] = [];
    const notes: string[] = [];
    for (const cells of options.cells === undefined ? kanaSeconds.keys() : [options.cells]) {
      report(`  ${cells} cells`);
      const input = await simulatedCountsFile(join(scratch, 'files'), {
        cells,
        genes: options.genes ?? genes,
      });
      const folder = (side: string) => join(scratch, `process-${side}-${cells}`);
      const ours: ProcessRun[] = [];
      const peer: ProcessRun[] = [];
      for (let i = 0; i < (options.repeat ?? 1); i++) {
        ours.push(
          (await runForJson(process.execPath, [paths.processOnce, input, folder('ours')])) as ProcessRun,
        );
        report(`    ours: ${stagesText(ours.at(-1)!)}`);
        if (python === undefined) continue;
        const args = [paths.processPeer, input, '--out', folder('peer')];
        peer.push((await runForJson(python, args)) as ProcessRun);
      }
      results.push(...resultsOf(cells, ours, peer));
      if (python !== undefined) {
        const outs = [folder('ours'), folder('peer')];
        const comparison = (await runForJson(python, [paths.groupsFound, input, ...outs])) as GroupsFound;
        results.push({
          quantity: `${cells} cells, simulated groups found`,
          unit: 'ARI',
          ours: [comparison.ours],
          peer: [comparison.peer],
        });
        notes.push(
          `${cells} cells: ARI of both clusterings ${comparison.both.toFixed(3)}; clusters: ours ${ours[0]!.clusters}, peer ${peer[0]!.clusters}; neighbours found: ours ${ours[0]!.recall.toFixed(3)}, peer ${peer[0]!.recall.toFixed(3)}`,
        );
      }
      const kana = kanaSeconds.get(cells);
      if (kana !== undefined) notes.push(`${cells} cells: kana published ${kana} s`);
      // A file of the largest has 2 GB.
      if (options.cells === undefined) await rm(input);
    }
    return { results, notes };
  },
};

export function stagesText({ seconds, stages }: ProcessRun): string {
  const parts = Object.entries(stages).map(([stage, spent]) => `${stage} ${spent.toFixed(1)}`);
  return `${seconds.toFixed(1)} s; of the processor ${parts.join(', ')}`;
}

function resultsOf(cells: number, ours: readonly ProcessRun[], peer: readonly ProcessRun[]): Result[] {
  const result = (quantity: string, unit: 's' | 'MiB', of: (run: ProcessRun) => number): Result => ({
    quantity: `${cells} cells, ${quantity}`,
    unit,
    ours: ours.map(of),
    ...(peer.length > 0 && { peer: peer.map(of) }),
  });
  return [
    { ...result('time', 's', ({ seconds }) => seconds), target: { kind: 'ratio-at-least', limit: 2 } },
    result('processor time', 's', ({ processor }) => processor),
    {
      ...result('peak memory', 'MiB', ({ peak }) => peak / mebibyte),
      target: { kind: 'each-at-most', limit: maxMemory },
    },
  ];
}
