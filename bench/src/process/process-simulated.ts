import { memoryNeeded, processCounts } from '@cellfolio/process';
import { expressionModel } from '../data/expression-model.ts';
import { geneNames } from '../data/generated-file.ts';
import { processMemory } from '../measure/process-memory.ts';
import { defaultSettings } from './default-settings.ts';
import { simulatedBlocks } from './simulated-blocks.ts';

// A process of its own, so that its peak memory is that of the processing alone:
//     node process-simulated.ts CELLS GENES DENSITY
const [cellCount, geneCount, density] = process.argv.slice(2).map(Number) as [number, number, number];
const seed = 20_240_607;
const model = expressionModel(geneCount, density, seed);
let entryCount = 0;
function* counted() {
  for (const block of simulatedBlocks({ model, cellCount, groupCount: 15, seed })) {
    entryCount += block.indices.length;
    yield block;
  }
}
const started = performance.now();
const result = await processCounts(
  { cellCount, geneNames: geneNames(geneCount), by: 'cell', blocks: counted() },
  { settings: defaultSettings },
);
process.stdout.write(
  `${JSON.stringify({
    seconds: (performance.now() - started) / 1000,
    peak: processMemory('self').peak,
    entryCount,
    needed: memoryNeeded({ cellCount, geneCount, entryCount }, defaultSettings),
    cells: result.keptCells.length,
    clusters: result.clusterCount,
  })}\n`,
);
