/**
 * Writes simulated droplets as a Matrix Market trio, each barcode named after its kind (`empty`, `kind0`…):
 * node packages/process/src/droplets/testing/write-matrix.ts reference|raw <folder>
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawMatrix, referenceMatrix, simulateDroplets } from './simulated-droplets.ts';

const [which, folder] = process.argv.slice(2) as [string, string];
const data = simulateDroplets(which === 'raw' ? rawMatrix : referenceMatrix);
const { rows, kinds, geneNames, geneCount, cellCount } = data;
const entries = rows.flatMap((row, barcode) =>
  [...row].map(([gene, count]) => `${gene + 1} ${barcode + 1} ${count}`),
);
const head = `%%MatrixMarket matrix coordinate integer general\n${geneCount} ${cellCount} ${entries.length}`;
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'matrix.mtx'), `${head}\n${entries.join('\n')}\n`);
const names = Array.from(kinds, (kind, barcode) => `${kind < 0 ? 'empty' : `kind${kind}`}-${barcode}`);
await writeFile(join(folder, 'barcodes.tsv'), `${names.join('\n')}\n`);
const features = geneNames.map((name) => `${name}\t${name}\tGene Expression`);
await writeFile(join(folder, 'features.tsv'), `${features.join('\n')}\n`);
