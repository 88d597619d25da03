/**
 * Creates the figures of the articles and the numbers in their texts (numbers.json) from the demo catalogue:
 *
 *     npm run cellfolio -- demo
 *     node tools/articles/make-figures.ts data/objects [article …]
 *
 * Everything is seeded: the same catalogue gives the same files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as scran from 'scran.js';
import { batchCorrection } from './batch-correction.ts';
import { differentialExpression } from './differential-expression.ts';
import { rareCells } from './rare-cells.ts';
import { signatures } from './signatures.ts';
import { toolComparison } from './tool-comparison.ts';
import { umapGeometry } from './umap-geometry.ts';

const articles = {
  umap: umapGeometry,
  de: differentialExpression,
  batch: batchCorrection,
  rare: rareCells,
  signatures,
  tools: toolComparison,
};

const [objects, ...requestedNames] = process.argv.slice(2);
if (objects === undefined) {
  console.error(
    'Give the objects folder of a data folder that holds the demo catalog, such as data/objects.',
  );
  process.exit(2);
}
const folder = fileURLToPath(new URL('../../apps/web/public/blog/', import.meta.url));
const numbersFile = new URL('numbers.json', import.meta.url);
await mkdir(folder, { recursive: true });
const before = await readFile(numbersFile, 'utf8').catch(() => '{}');
const numbers = JSON.parse(before) as Record<string, unknown>;
// One thread: with several the order of additions, and so the figure, would vary.
await scran.initialize({ numberOfThreads: 1 });
for (const [name, make] of Object.entries(articles)) {
  if (requestedNames.length > 0 && !requestedNames.includes(name)) continue;
  numbers[name] = await make({ objects, folder });
}
await scran.terminate();
await writeFile(numbersFile, `${JSON.stringify(numbers, undefined, 2)}\n`);
