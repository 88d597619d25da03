import { FileObjectStore, openDataset } from '@cellfolio/store';

// A process of its own that opens datasets as a thread of the server does, so that memory and time are theirs alone:
//     node --expose-gc open-once.ts ROOT ID…
const [root, ...all] = process.argv.slice(2) as [string, ...string[]];
const objects = new FileObjectStore(root);

async function open(id: string) {
  const dataset = await openDataset(objects, id, { cacheBytes: 0 });
  const { embedding, cellType } = dataset.manifest.roles;
  if (embedding !== undefined) await dataset.embedding(embedding);
  if (cellType !== undefined) await dataset.obs(cellType);
  return dataset;
}

const held = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// The first ones also load and compile what opens them.
const ids = all.slice(Math.floor(all.length / 2));
for (const id of all.slice(0, -ids.length)) await open(id);
const before = { memory: held(), times: process.cpuUsage() };
const started = performance.now();
const datasets = [];
for (const id of ids) datasets.push(await open(id));
const milliseconds = performance.now() - started;
const opened = process.cpuUsage(before.times);
// Names are looked up by an index that is made when it is first used; where genes come by number it never is.
const afterOpening = process.cpuUsage();
for (const { genes } of datasets) genes.find('nothing');
const indexed = process.cpuUsage(afterOpening);
const each = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000 / ids.length;
process.stdout.write(
  `${JSON.stringify({
    milliseconds: milliseconds / ids.length,
    coreTime: each(opened),
    index: each(indexed),
    reads: datasets.reduce((sum, { counters }) => sum + counters.reads, 0) / ids.length,
    bytes: datasets.reduce((sum, { counters }) => sum + counters.bytes, 0) / ids.length,
    memory: (held() - before.memory) / ids.length,
    cells: datasets.reduce((sum, { manifest }) => sum + manifest.cellCount, 0) / ids.length,
    genes: datasets[0]!.manifest.geneCount,
  })}\n`,
);
await objects.close();
