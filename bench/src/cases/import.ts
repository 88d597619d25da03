import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchCase, type BenchContext, sizeOf } from '../bench-context.ts';
import type { GeneratedFile } from '../data/generated-file.ts';
import { alternate, mebibyte, runForJson } from '../measure/child.ts';
import { median, runResults } from '../measure/result.ts';
import { paths } from '../paths.ts';

interface ImportRun {
  seconds: number;
  /** Processor seconds of all threads; hardly affected by other load. */
  processor: number;
  stages: Readonly<Record<string, number>>;
  peak: number;
  valueCount: number;
}

const sizeOfImport = ({ options }: BenchContext) => sizeOf(options, { cells: 100_000, genes: 20_000 });

const forms: readonly {
  name: string;
  what: string;
  file: (context: BenchContext) => Promise<GeneratedFile>;
}[] = [
  { name: 'import', what: 'CSR', file: (context) => context.file(sizeOfImport(context)) },
  {
    name: 'import-gzip',
    what: 'CSR, deflated',
    // What anndata chooses for compression="gzip".
    file: (context) => context.file({ ...sizeOfImport(context), gzip: context.options.gzip ?? 4 }),
  },
  { name: 'import-csc', what: 'CSC', file: (context) => context.geneMajor(sizeOfImport(context)) },
];

/**
 * Imports .h5ad to a gene-major store, alternating between ours and the peer, each run in a separate process. The
 * peer's time starts after its libraries are loaded: it compiles nothing at run time, so its only warm-up is the file
 * in memory, which an unmeasured first run of both provides.
 */
export const importCases: readonly BenchCase[] = forms.map(({ name, what, file }) => ({
  name,
  title: `.h5ad (${what}) to gene-major Zarr; peer: anndata.read_h5ad + tocsc + write_zarr`,
  async run(context) {
    const { options, scratch, python, report } = context;
    const { path, size } = await file(context);
    // As the server and its jobs have it: the sources are compiled once. The run before those that count fills it.
    process.env.NODE_COMPILE_CACHE ??= join(scratch, 'compiled');
    const ours: ImportRun[] = [];
    const peer: ImportRun[] = [];
    const out = join(scratch, 'import-run');
    const measure = async (runs: ImportRun[], command: string, args: readonly string[]) => {
      await rm(out, { recursive: true, force: true });
      const run = (await runForJson(command, args)) as ImportRun;
      if (runs === warming) return;
      report(`  ${runs === ours ? 'ours' : 'peer'} ${run.seconds.toFixed(1)} s ${stagesText(run.stages)}`);
      runs.push(run);
    };
    const steps = [
      () => measure(ours, process.execPath, [paths.importOnce, path, out, 'run.h5ad']),
      ...(python === undefined ? [] : [() => measure(peer, python, [paths.importPeer, path, out])]),
    ];
    const warming: ImportRun[] = [];
    await measure(warming, process.execPath, [paths.importOnce, path, out, 'run.h5ad']);
    if (python !== undefined) await measure(warming, python, [paths.importPeer, path, out]);
    await alternate(options.repeat ?? 3, steps);
    await rm(out, { recursive: true, force: true });
    const valueCounts = new Set([...ours, ...peer].map(({ valueCount }) => valueCount));
    if (valueCounts.size !== 1)
      throw new Error(`the numbers of stored values differ: ${[...valueCounts].join(', ')}`);
    const result = runResults(ours, peer);
    return {
      results: [
        result('time', 's', (run) => run.seconds, { kind: 'ratio-at-least', limit: 2 }),
        result('processor time, all threads', 's', (run) => run.processor, {
          kind: 'ratio-at-least',
          limit: 1,
        }),
        result('peak resident memory', 'MiB', (run) => run.peak / mebibyte, {
          kind: 'each-at-most',
          limit: 1024,
        }),
      ],
      notes: [
        `${size.cells} cells × ${size.genes} genes, ${[...valueCounts].join()} values, ${what}, float32`,
        'without start-up and library imports; ours includes syncing to disk, the peer does not',
        `seconds by stage, medians: ours ${stagesText(medianStages(ours))}${peer.length > 0 ? `; peer ${stagesText(medianStages(peer))}` : ''}`,
      ],
    };
  },
}));

function medianStages(runs: readonly ImportRun[]): Record<string, number> {
  const names = Object.keys(runs[0]?.stages ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map(({ stages }) => stages[name] ?? NaN))]),
  );
}

function stagesText(stages: Readonly<Record<string, number>>): string {
  return Object.entries(stages)
    .map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)}`)
    .join(', ');
}
