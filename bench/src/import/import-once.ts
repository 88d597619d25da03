import { importH5ad } from '@cellfolio/ingest';
import { processMemory } from '../measure/process-memory.ts';

// A process of its own for one import, so that its peak memory is that of the import alone:
//     node import-once.ts FILE ROOT ID
const [path, root, id] = process.argv.slice(2) as [string, string, string];
const stages: Record<string, number> = {};
const started = performance.now();
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
  // When each stage ended, from the start: what is slow is seen without a profiler.
  onProgress: ({ stage }) => (stages[stage] = (performance.now() - started) / 1000),
});
const seconds = (performance.now() - started) / 1000;
const { peak } = processMemory('self');
const bytes = Object.values(manifest.files).reduce((sum, { size }) => sum + size, 0);
process.stdout.write(
  `${JSON.stringify({ seconds, stages, peak, valueCount: manifest.valueCount, bytes })}\n`,
);
