import { readFile } from 'node:fs/promises';
import type { IntegrationMethod } from '@cellfolio/model';
import { batchMethods } from '@cellfolio/process';
import { processMemory, writeArrays } from './measure/child.ts';
import { stopwatch } from './measure/result.ts';

// Integrates the batches of one file in a process of its own:
//     node integrate-once.ts METHOD POINTS BATCHES COMPONENTS BATCH-COUNT THREADS OUT
// POINTS are float64, BATCHES int32, both as numpy reads them; OUT gets the corrected coordinates as float64.
const [method, points, batches, components, batchCount, threads, out] = process.argv.slice(2) as [
  IntegrationMethod,
  string,
  string,
  string,
  string,
  string,
  string,
];
const bytes = async (path: string) => Uint8Array.from(await readFile(path)).buffer;
const cells = {
  coordinates: new Float64Array(await bytes(points)),
  batches: new Int32Array(await bytes(batches)),
  components: Number(components),
  batchCount: Number(batchCount),
};
const spent = stopwatch();
const { coordinates } = await batchMethods[method].integrate({
  cells,
  names: Array.from({ length: cells.batchCount }, (_, batch) => `${batch}`),
  threads: Number(threads),
  onProgress: () => undefined,
});
const [seconds, processor] = spent();
await writeArrays(out, [coordinates]);
const { peak } = processMemory('self');
process.stdout.write(`${JSON.stringify({ seconds, processor, peak })}\n`);
process.exit(0);
