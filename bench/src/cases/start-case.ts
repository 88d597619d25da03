import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { paths } from '../paths.ts';
import { startServing } from '../server/running-server.ts';

export const startCase: BenchCase = {
  name: 'start',
  title: 'npm start to serving, demo catalogue included',
  async run({ options, scratch, report }) {
    const dataDir = join(scratch, 'start');
    await rm(dataDir, { recursive: true, force: true });
    const command = ['npm', 'start', '--prefix', paths.root] as const;
    const start = async () => {
      const server = await startServing(command, { DATA_DIR: dataDir, LOG_LEVEL: 'error' });
      await server.stop();
      return server.millisecondsToServing / 1000;
    };
    report('  first start: prepares the demo catalogue');
    const first = await start();
    const later: number[] = [];
    for (let i = 0; i < (options.repeat ?? 5); i++) later.push(await start());
    await rm(dataDir, { recursive: true, force: true });
    return {
      results: [
        { quantity: 'first start, new data folder', unit: 's', ours: [first] },
        { quantity: 'later starts', unit: 's', ours: later, target: { kind: 'each-at-most', limit: 5 } },
      ],
      notes: ['dependencies installed and the web app built beforehand'],
    };
  },
};
