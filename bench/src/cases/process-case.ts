import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { runForJson } from '../measure/child.ts';
import { mebibyte } from '../measure/process-memory.ts';
import type { Result } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { sharedData } from '../process/shared-data.ts';

interface ProcessRun {
  readonly seconds: number;
  readonly processor: number;
  readonly stages: Readonly<Record<string, number>>;
  readonly peak: number;
  readonly clusters: number;
}

/** From an upload of three files to clusters and a UMAP, each run in a process of its own, ours and scanpy's in turn. */
export const processCase: BenchCase = {
  name: 'process',
  title: 'Matrix Market trio of 10,000 cells to UMAP; peer: scanpy, compiled beforehand',
  async run({ options, scratch, python, report }) {
    const trio = sharedData('mouse_brain_10k_mtx');
    if (trio === undefined)
      return { results: [], notes: ['left out: CELLFOLIO_SHARED names no mouse brain data'] };
    const out = join(scratch, 'process-run');
    const peerInput = join(scratch, 'process-peer');
    await mkdir(out, { recursive: true });
    await mkdir(peerInput, { recursive: true });
    for (const [name, as] of [
      ['matrix.mtx', 'matrix.mtx'],
      ['barcodes.tsv', 'barcodes.tsv'],
      ['features.tsv', 'genes.tsv'],
    ] as const)
      await symlink(join(trio, name), join(peerInput, as)).catch(() => undefined);
    const ours: ProcessRun[] = [];
    const peer: ProcessRun[] = [];
    const measure = async (runs: ProcessRun[], command: string, args: readonly string[]) => {
      const run = (await runForJson(command, args)) as ProcessRun;
      const stages = Object.entries(run.stages).map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)}`);
      report(`  ${runs === ours ? 'ours' : 'peer'} ${run.seconds.toFixed(1)} s: ${stages.join(', ')}`);
      runs.push(run);
    };
    for (let i = 0; i < (options.repeat ?? 3); i++) {
      await measure(ours, process.execPath, [paths.processOnce, trio, out]);
      if (python !== undefined) await measure(peer, python, [paths.processPeer, peerInput]);
    }
    const sides = (value: (run: ProcessRun) => number): Pick<Result, 'ours' | 'peer'> => ({
      ours: ours.map(value),
      ...(peer.length > 0 && { peer: peer.map(value) }),
    });
    return {
      results: [
        {
          quantity: 'time',
          unit: 's',
          ...sides(({ seconds }) => seconds),
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        {
          quantity: 'time within the budget of an upload',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          target: { kind: 'median-at-most', limit: 25 },
        },
        {
          quantity: 'processor time, all threads',
          unit: 's',
          ...sides(({ processor }) => processor),
          target: { kind: 'ratio-at-least', limit: 1 },
        },
        { quantity: 'peak resident memory', unit: 'MiB', ...sides(({ peak }) => peak / mebibyte) },
      ],
      notes: [`clusters: ours ${ours[0]?.clusters}, peer ${peer[0]?.clusters ?? '–'}`],
    };
  },
};
