import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { realDataFolder } from '../../../scripts/real-data.mjs';
import type { BenchCase } from '../bench-context.ts';
import { simulatedCountsFile } from '../data/simulated-counts.ts';
import { mebibyte, runForJson } from '../measure/child.ts';
import { type Result, runResults } from '../measure/result.ts';
import { paths } from '../paths.ts';

/** Output of a process that ran once from counts to a UMAP. Stages are in processor seconds. */
interface ProcessRun {
  seconds: number;
  processor: number;
  stages: Readonly<Record<string, number>>;
  peak: number;
  clusters: number;
  /** Share of the true nearest neighbours that the search returned, on a sample of cells. */
  recall: number;
}

function stagesText({ seconds, stages }: ProcessRun): string {
  const parts = Object.entries(stages).map(([stage, spent]) => `${stage} ${spent.toFixed(1)}`);
  return `${seconds.toFixed(1)} s; of the processor ${parts.join(', ')}`;
}

export const processCase: BenchCase = {
  name: 'process',
  title: 'Matrix Market trio of 10,000 cells to UMAP; peer: scanpy, warmed on the whole job',
  async run({ options, scratch, python, report }) {
    const trio = realData('mouse_brain_10k_mtx');
    if (trio === undefined)
      return { results: [], notes: ['skipped: no mouse brain data in CELLFOLIO_SHARED'] };
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
      report(`  ${runs === ours ? 'ours' : 'peer'} ${stagesText(run)}`);
      runs.push(run);
    };
    for (let i = 0; i < (options.repeat ?? 3); i++) {
      await measure(ours, process.execPath, [paths.processOnce, trio, out]);
      if (python !== undefined) await measure(peer, python, [paths.processPeer, peerInput]);
    }
    const result = runResults(ours, peer);
    return {
      results: [
        result('time', 's', ({ seconds }) => seconds, { kind: 'ratio-at-least', limit: 1 }),
        {
          quantity: 'time within the budget of an upload',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          target: { kind: 'median-at-most', limit: 25 },
        },
        result('processor time, all threads', 's', ({ processor }) => processor, {
          kind: 'ratio-at-least',
          limit: 1,
        }),
        result('peak resident memory', 'MiB', ({ peak }) => peak / mebibyte),
      ],
      notes: [`clusters: ours ${ours[0]?.clusters}, peer ${peer[0]?.clusters ?? '–'}`],
    };
  },
};

interface GroupsFound {
  ours: number;
  peer: number;
  both: number;
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
      const result = runResults(ours, peer);
      results.push(
        result(`${cells} cells, time`, 's', ({ seconds }) => seconds, { kind: 'ratio-at-least', limit: 2 }),
        result(`${cells} cells, processor time`, 's', ({ processor }) => processor),
        result(`${cells} cells, peak memory`, 'MiB', ({ peak }) => peak / mebibyte, {
          kind: 'each-at-most',
          limit: maxMemory,
        }),
      );
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
          `${cells} cells: ARI of both clusterings ${comparison.both.toFixed(3)}; clusters: ours ${ours[0]!.clusters}, peer ${peer[0]!.clusters}; neighbors found: ours ${ours[0]!.recall.toFixed(3)}, peer ${peer[0]!.recall.toFixed(3)}`,
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

interface MapScores {
  preserved15: number;
  preserved30: number;
  trustworthiness: number;
}

interface Agreement {
  cells: number;
  genes: { ours: number; peer: number; both: number };
  clusters: readonly {
    clusters: number;
    ours: readonly number[];
    peer: readonly number[];
    oursGroups?: readonly number[];
    peerGroups?: readonly number[];
  }[];
  map: { ours: readonly MapScores[]; peer: readonly MapScores[] };
}

const dataSets = ['mouse', 'pbmc', 'simulated'] as const;
const resolutions = ['0.6', '1', '1.6'];
/** Clusters of the mouse brain vary by 0.06 between seeds; the median over this many seeds varies by 0.02. */
const seedCount = 10;
/** Maps vary by less than 0.01 and take most of the time. */
const mapCount = 4;
/** The medians of two runs of the peer differ by at least this. */
const tolerance = 0.01;

/**
 * Agreement of clusters and maps with scanpy's. "Ours" compares ours with each seed of scanpy, "peer" scanpy's seeds with
 * each other, all with our number of clusters.
 */
export const processAgreementCase: BenchCase = {
  name: 'process-agreement',
  title:
    "adjusted Rand index with scanpy's clusters, and neighbors kept by the UMAP; peer: scanpy, other seeds",
  async run({ scratch, python, report }) {
    const shared = realData('.');
    if (python === undefined || shared === undefined)
      return { results: [], notes: ['skipped: it needs the peer and the data in CELLFOLIO_SHARED'] };
    const folder = join(scratch, 'agreement');
    await mkdir(folder, { recursive: true });
    await runForJson(python, [paths.agreementData, shared, folder]);
    const results: Result[] = [];
    const notes: string[] = [];
    for (const name of dataSets) {
      const input = join(folder, `${name}.h5ad`);
      const outs: string[] = [];
      for (const resolution of resolutions) {
        const out = join(folder, `${name}-${resolution}`);
        await runForJson(process.execPath, [paths.processOnce, input, out, resolution]);
        outs.push(out);
      }
      report(`  ${name}`);
      const args = [
        paths.agreementPeer,
        input,
        ...outs,
        '--seeds',
        String(seedCount),
        '--maps',
        String(mapCount),
      ];
      const agreement = (await runForJson(
        python,
        name === 'simulated' ? [...args, '--groups', 'group'] : args,
      )) as Agreement;
      results.push(...clusterResults(name, agreement), ...mapResults(name, agreement));
      notes.push(
        `${name}: ${agreement.cells} cells; ${agreement.genes.both} of ${agreement.genes.peer} variable genes agree`,
      );
    }
    return { results, notes };
  },
};

function clusterResults(name: string, { clusters }: Agreement): Result[] {
  return clusters.flatMap(({ clusters: count, ours, peer, oursGroups, peerGroups }) => [
    {
      quantity: `${name}, ${count} clusters`,
      unit: 'ARI' as const,
      ours,
      peer,
      target: { kind: 'below-peer-at-most' as const, limit: tolerance },
    },
    ...(oursGroups === undefined || peerGroups === undefined
      ? []
      : [
          {
            quantity: `${name}, ${count} clusters and the known groups`,
            unit: 'ARI' as const,
            ours: oursGroups,
            peer: peerGroups,
            target: { kind: 'below-peer-at-most' as const, limit: tolerance },
          },
        ]),
  ]);
}

function mapResults(name: string, { map }: Agreement): Result[] {
  const measures = [
    ['15 nearest kept', 'preserved15'],
    ['30 nearest kept', 'preserved30'],
    ['trustworthiness', 'trustworthiness'],
  ] as const;
  return measures.map(([what, measure]) => ({
    quantity: `${name}, map: ${what}`,
    unit: 'share',
    ours: map.ours.map((scores) => scores[measure]),
    peer: map.peer.map((scores) => scores[measure]),
    target: { kind: 'below-peer-at-most', limit: tolerance },
  }));
}

function realData(name: string): string | undefined {
  const path = join(realDataFolder, name);
  return existsSync(path) ? path : undefined;
}
