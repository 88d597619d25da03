import { importH5ad } from '@cellfolio/ingest';
import { processMemory } from './measure/child.ts';
import { stopwatch } from './measure/result.ts';

// Runs one import in a process of its own, whose peak memory is that of the import:
//     node import-once.ts FILE ROOT ID
const [path, root, id] = process.argv.slice(2) as [string, string, string];
const stages: Record<string, number> = {};
const spent = stopwatch();
let last = performance.now();
const { manifest } = await importH5ad({
  path,
  root,
  id,
  catalogue: {
    name: id,
    disease: 'Generated',
    subdisease: 'Generated',
    category1: 'Bench',
    category2: 'Bench',
    description: 'Random values of a given shape.',
    simulated: true,
  },
  // Time between two reports counts for the stage of the latter.
  onProgress: ({ stage }) => {
    const now = performance.now();
    stages[stage] = (stages[stage] ?? 0) + (now - last) / 1000;
    last = now;
  },
});
stages['publish'] = (performance.now() - last) / 1000;
const [seconds, processor] = spent();
const { peak } = processMemory('self');
const bytes = Object.values(manifest.files).reduce((sum, { size }) => sum + size, 0);
process.stdout.write(
  `${JSON.stringify({ seconds, processor, stages, peak, valueCount: manifest.valueCount, bytes })}\n`,
);
