import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { alternate, mebibyte, processMemory, runForJson } from '../measure/child.ts';
import { paths } from '../paths.ts';
import {
  ExplorerClient,
  openDatasetServer,
  serverPlace,
  startServer,
  startServing,
} from '../server/running-server.ts';

interface PeerRun {
  read: number;
  write: number;
  processor: number;
  processorWithRead: number;
  peak: number;
  bytes: number;
}

export const exportCase: BenchCase = {
  name: 'export',
  title: 'a stored dataset as .h5ad; peer: anndata.read_zarr + write_h5ad',
  async run({ options, imported, scratch, python, report }) {
    const dataset = await imported(sizeOf(options, { cells: 100_000, genes: 2000 }));
    const out = join(scratch, 'export.h5ad');
    const server = await openDatasetServer(dataset, {});
    const before = processMemory(server.pid).resident;
    const ours: { seconds: number; processor: number; bytes: number }[] = [];
    const peer: PeerRun[] = [];
    const measureOurs = async () => {
      const processorBefore = server.processor();
      const started = performance.now();
      const answer = await fetch(`${server.address}/api/export-dataset`, {
        method: 'POST',
        headers: { ...server.client.headers, 'content-type': 'application/json' },
        body: '{}',
      });
      if (!answer.ok || answer.body === null) throw new Error(`export answered ${answer.status}`);
      await pipeline(answer.body as AsyncIterable<Uint8Array>, createWriteStream(out));
      const seconds = (performance.now() - started) / 1000;
      const processor = server.processor() - processorBefore;
      report(`  ours ${seconds.toFixed(2)} s`);
      await rm(out, { force: true });
      return { seconds, processor, bytes: Number(answer.headers.get('content-length')) };
    };
    const measurePeer = async () => {
      const stored = join(dataset.root, 'datasets', dataset.id);
      peer.push((await runForJson(python!, [paths.exportPeer, stored, out])) as PeerRun);
      report(`  peer ${peer.at(-1)!.write.toFixed(2)} s`);
      await rm(out, { force: true });
    };
    const first = await measureOurs();
    const steps = [
      async () => void ours.push(await measureOurs()),
      ...(python === undefined ? [] : [measurePeer]),
    ];
    await alternate(options.repeat ?? 5, steps);
    const peak = server.peak();
    await server.close();
    const peers = (value: (run: PeerRun) => number) => (peer.length > 0 ? peer.map(value) : undefined);
    return {
      results: [
        {
          quantity: 'time; peer: write_h5ad',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          peer: peers(({ write }) => write),
        },
        {
          quantity: 'time; peer: read_zarr and write_h5ad',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          peer: peers(({ read, write }) => read + write),
        },
        {
          quantity: 'processor time of the server; peer: write_h5ad',
          unit: 's',
          ours: ours.map(({ processor }) => processor),
          peer: peers(({ processor }) => processor),
        },
        {
          quantity: 'processor time of the server; peer: read_zarr and write_h5ad',
          unit: 's',
          ours: ours.map(({ processor }) => processor),
          peer: peers(({ processorWithRead }) => processorWithRead),
        },
        {
          quantity: 'peak resident memory, whole server',
          unit: 'MiB',
          ours: [peak / mebibyte],
          peer: peers(({ peak }) => peak / mebibyte),
        },
        {
          quantity: 'peak above the server with the dataset open',
          unit: 'MiB',
          ours: [(peak - before) / mebibyte],
        },
      ],
      notes: [
        `${dataset.size.cells} cells × ${dataset.size.genes} genes; files of ${[...new Set([...ours, ...peer].map(({ bytes }) => bytes))].join(' and ')} bytes`,
        'ours reads the store, makes the file and sends it over HTTP to a client that writes it; the peer has what it writes in memory',
        `the first export of a server just started: ${first.seconds.toFixed(2)} s, ${first.processor.toFixed(2)} s of the processor`,
      ],
    };
  },
};

export const serverMemoryCase: BenchCase = {
  name: 'server-memory',
  title: 'resident memory of the server, embedded database and threads included',
  async run({ options, imported }) {
    const dataset = await imported(sizeOf(options, { cells: 100_000, genes: 20_000 }));
    const { id, size, model } = dataset;
    const [own, environment] = serverPlace(dataset, 'server-memory');
    // The first start creates the database.
    await (await startServer(own, environment)).stop();
    const genes = genesToDraw(model, 20);
    const readings = {
      started: [] as number[],
      signedIn: [] as number[],
      opened: [] as number[],
      drawn: [] as number[],
      peak: [] as number[],
      gain: [] as number[],
    };
    for (let i = 0; i < (options.repeat ?? 3); i++) {
      const server = await startServer(own, environment);
      const measure = (name: keyof typeof readings) => {
        const resident = processMemory(server.pid).resident / mebibyte;
        readings[name].push(resident);
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
        readings.gain.push(measure('opened') - before);
        for (const gene of genes) await client.drawGene(gene);
        measure('drawn');
        readings.peak.push(processMemory(server.pid).peak / mebibyte);
      } finally {
        await server.stop();
      }
    }
    await rm(own, { recursive: true, force: true });
    return {
      results: [
        { quantity: 'started, idle', unit: 'MiB', ours: readings.started },
        { quantity: 'one user signed up (password hashed)', unit: 'MiB', ours: readings.signedIn },
        {
          quantity: 'dataset open, one gene drawn',
          unit: 'MiB',
          ours: readings.opened,
          target: { kind: 'each-at-most', limit: 700 },
        },
        {
          quantity: 'of which opening and drawing',
          unit: 'MiB',
          ours: readings.gain,
          target: { kind: 'each-at-most', limit: 150 },
        },
        {
          quantity: `${genes.length} genes drawn`,
          unit: 'MiB',
          ours: readings.drawn,
          target: { kind: 'each-at-most', limit: 700 },
        },
        { quantity: 'peak', unit: 'MiB', ours: readings.peak },
      ],
      notes: [`${size.cells} cells × ${size.genes} genes; a server started on an existing database`],
    };
  },
};

export const startCase: BenchCase = {
  name: 'start',
  title: 'npm start to serving, demo catalog included',
  async run({ options, scratch, report }) {
    const dataDir = join(scratch, 'start');
    await rm(dataDir, { recursive: true, force: true });
    const command = ['npm', 'start', '--prefix', paths.root] as const;
    const start = async () => {
      const server = await startServing(command, { DATA_DIR: dataDir, LOG_LEVEL: 'error' });
      await server.stop();
      return server.millisecondsToServing / 1000;
    };
    report('  first start: prepares the demo catalog');
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
