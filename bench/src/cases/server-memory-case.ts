import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte, processMemory } from '../measure/child.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, startServing } from '../server/running-server.ts';
export const serverMemoryCase: BenchCase = {
  name: 'server-memory',
  title: 'resident memory of the server, embedded database and threads included',
  async run({ options, imported }) {
    const { dataDir, id, size, model } = await imported(sizeOf(options, { cells: 100_000, genes: 20_000 }));
    const own = join(dataDir, 'server-memory');
    const environment = {
      DATA_DIR: own,
      OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
      DEMO: 'false',
      LOG_LEVEL: 'error',
    };
    const command = [process.execPath, paths.serverStart] as const;
    // The first start creates the database.
    await (await startServing(command, environment)).stop();
    const genes = genesToDraw(model, 20);
    const readings: Record<string, number[]> = {
      started: [],
      signedIn: [],
      opened: [],
      drawn: [],
      peak: [],
      gain: [],
    };
    for (let i = 0; i < (options.repeat ?? 3); i++) {
      const server = await startServing(command, environment);
      const measure = (name: string) => {
        const resident = processMemory(server.pid).resident / mebibyte;
        readings[name]!.push(resident);
        return resident;
      };
      try {
        await sleep(1000);
        measure('started');
        const client = await ExplorerClient.signUp(server.address);
        await sleep(500);
        const before = measure('signedIn');
        await client.openDataset(id);
        await client.drawGene(genes[0]!);
        await sleep(500);
        readings['gain']!.push(measure('opened') - before);
        for (const gene of genes) await client.drawGene(gene);
        measure('drawn');
        readings['peak']!.push(processMemory(server.pid).peak / mebibyte);
      } finally {
        await server.stop();
      }
    }
    await rm(own, { recursive: true, force: true });
    return {
      results: [
        { quantity: 'started, idle', unit: 'MiB', ours: readings['started']! },
        { quantity: 'one user signed up (password hashed)', unit: 'MiB', ours: readings['signedIn']! },
        {
          quantity: 'dataset open, one gene drawn',
          unit: 'MiB',
          ours: readings['opened']!,
          target: { kind: 'each-at-most', limit: 700 },
        },
        {
          quantity: 'of which opening and drawing',
          unit: 'MiB',
          ours: readings['gain']!,
          target: { kind: 'each-at-most', limit: 150 },
        },
        {
          quantity: `${genes.length} genes drawn`,
          unit: 'MiB',
          ours: readings['drawn']!,
          target: { kind: 'each-at-most', limit: 700 },
        },
        { quantity: 'peak', unit: 'MiB', ours: readings['peak']! },
      ],
      notes: [`${size.cells} cells × ${size.genes} genes; a server started on an existing database`],
    };
  },
};
