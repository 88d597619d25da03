import { extname, join } from 'node:path';
import { convertMatrixMarket, openCounts, type RawCounts } from '@cellfolio/ingest';
import {
  processCounts,
  type CountMatrix,
  type ProcessSettings,
  type ProcessResult,
} from '@cellfolio/process';
import { processMemory } from './measure/child.ts';
import { stopwatch } from './measure/result.ts';
import { processingDefaults } from '@cellfolio/contract';
import { mkdir, writeFile } from 'node:fs/promises';
// Processes one file in a process of its own, whose peak memory is that of the processing:
//     node process-once.ts TRIO|FILE.h5ad OUT [RESOLUTION]
// TRIO is a folder with matrix.mtx, barcodes.tsv and features.tsv; results are written to the folder OUT.
const { deviations, ...others } = processingDefaults;

const defaultSettings: ProcessSettings = { ...others, quality: { deviations } };

const [input, out, resolution = String(defaultSettings.resolution)] = process.argv.slice(2) as [
  string,
  string,
  string?,
];
/** Processor seconds of all threads. */
const stages: Record<string, number> = {};
const whole = stopwatch();
let own = stopwatch();
let stage = 'convert';
const startStage = (next: string) => {
  stages[stage] = (stages[stage] ?? 0) + own()[1];
  [stage, own] = [next, stopwatch()];
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
startStage('open');
const counts = await openCounts(path);
if (counts === undefined) throw new Error(`${path} has no raw counts`);
const result = await processCounts(countsOf(counts), {
  settings: { ...defaultSettings, resolution: Number(resolution) },
  onProgress: ({ step }) => step !== stage && startStage(step),
});
counts.close();
startStage('end');
const [seconds, processor] = whole();
const { peak } = processMemory('self');
await saveResult(out, result);
process.stdout.write(
  `${JSON.stringify({
    seconds,
    processor,
    stages,
    peak,
    cells: result.keptCells.length,
    clusters: result.clusterCount,
    recall: result.neighbourRecall?.share ?? 1,
  })}\n`,
);

function countsOf(counts: RawCounts): CountMatrix {
  const { cellCount, geneNames, by, entryCount } = counts;
  return { cellCount, geneNames, by, entryCount, blocks: counts.blocks() };
}

/** Writes the results for the peer: little-endian arrays, as numpy reads them. */
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
