import { extname, join } from 'node:path';
import { convertMatrixMarket, openCounts, type RawCounts } from '@cellfolio/ingest';
import {
  processCounts,
  type CountMatrix,
  type ProcessSettings,
  type ProcessResult,
} from '@cellfolio/process';
import { processMemory } from './measure/child.ts';
import { processingDefaults } from '@cellfolio/contract';
import { mkdir, writeFile } from 'node:fs/promises';
// A process of its own for one file, so that its peak memory is that of the processing alone:
//     node process-once.ts TRIO|FILE.h5ad OUT [RESOLUTION]
// TRIO is a folder with matrix.mtx, barcodes.tsv and features.tsv; what comes out is written to the folder OUT.
const { deviations, ...others } = processingDefaults;

/** What a dataset is processed with where nothing was chosen. */
const defaultSettings: ProcessSettings = { ...others, quality: { deviations } };

const [input, out, resolution = String(defaultSettings.resolution)] = process.argv.slice(2) as [
  string,
  string,
  string?,
];
const stages: Record<string, number> = {};
const started = performance.now();
const processorBefore = process.cpuUsage();
let stage = 'convert';
let last = started;
const turnTo = (next: string) => {
  const now = performance.now();
  stages[stage] = (stages[stage] ?? 0) + (now - last) / 1000;
  [stage, last] = [next, now];
};

const named = (name: string) => ({ path: join(input, name), name });
let path = input;
if (extname(input) !== '.h5ad') {
  path = join(out, 'converted.h5ad');
  await convertMatrixMarket(
    { matrix: named('matrix.mtx'), tables: [named('barcodes.tsv'), named('features.tsv')] },
    path,
  );
}
turnTo('open');
const counts = await openCounts(path);
if (counts === undefined) throw new Error(`${path} holds no raw counts`);
const result = await processCounts(countsOf(counts), {
  settings: { ...defaultSettings, resolution: Number(resolution) },
  onProgress: ({ step }) => step !== stage && turnTo(step),
});
counts.close();
turnTo('end');
const seconds = (last - started) / 1000;
const { user, system } = process.cpuUsage(processorBefore);
const { peak } = processMemory('self');
await saveResult(out, result);
process.stdout.write(
  `${JSON.stringify({
    seconds,
    processor: (user + system) / 1e6,
    stages,
    peak,
    cells: result.keptCells.length,
    clusters: result.clusterCount,
  })}\n`,
);

/** The counts of a file in the form that processing takes. */
function countsOf(counts: RawCounts): CountMatrix {
  const { cellCount, geneNames, by, entryCount } = counts;
  return { cellCount, geneNames, by, entryCount, blocks: counts.blocks() };
}

/** Leaves what was computed to the peer: arrays in the machine's (little-endian) order, as numpy reads them. */
async function saveResult(folder: string, result: ProcessResult): Promise<void> {
  const {
    keptCells,
    clusters = new Int32Array(),
    umap = new Float32Array(),
    pca,
    components,
    variableGenes,
  } = result;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kept.i32'), keptCells);
  await writeFile(join(folder, 'clusters.i32'), clusters);
  await writeFile(join(folder, 'umap.f32'), umap);
  await writeFile(join(folder, 'pca.f32'), pca);
  await writeFile(join(folder, 'genes.u8'), variableGenes);
  await writeFile(join(folder, 'result.json'), JSON.stringify({ components, clusters: result.clusterCount }));
}
