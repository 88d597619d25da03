import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { runForJson, mebibyte, processMemory, processorSeconds } from '../measure/child.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, startServing } from '../server/running-server.ts';

interface PeerRun {
  readonly read: number;
  readonly write: number;
  readonly processor: number;
  readonly processorWithRead: number;
  readonly peak: number;
  readonly bytes: number;
}

export const exportCase: BenchCase = {
  name: 'export',
  title: 'a stored dataset as .h5ad; peer: anndata.read_zarr + write_h5ad',
  async run({ options, imported, scratch, python, report }) {
    const dataset = await imported(sizeOf(options, { cells: 100_000, genes: 2000 }));
    const own = join(dataset.dataDir, 'export');
    const out = join(scratch, 'export.h5ad');
    const environment = {
      DATA_DIR: own,
      OBJECT_STORE_URL: `file:${join(dataset.dataDir, 'objects')}`,
      DEMO: 'false',
      LOG_LEVEL: 'error',
    };
    const command = [process.execPath, paths.serverStart] as const;
    // The first start creates the database.
    await (await startServing(command, environment)).stop();
    const server = await startServing(command, environment);
    const client = await ExplorerClient.signUp(server.address);
    await client.openDataset(dataset.id);
    const before = processMemory(server.pid).resident;
    const ours: { seconds: number; processor: number; bytes: number }[] = [];
    const peer: PeerRun[] = [];
    const measureOurs = async () => {
      const processorBefore = processorSeconds(server.pid);
      const started = performance.now();
      const answer = await fetch(`${server.address}/api/export-dataset`, {
        method: 'POST',
        headers: { ...client.headers, 'content-type': 'application/json' },
        body: '{}',
      });
      if (!answer.ok || answer.body === null) throw new Error(`export answered ${answer.status}`);
      await pipeline(answer.body as AsyncIterable<Uint8Array>, createWriteStream(out));
      const seconds = (performance.now() - started) / 1000;
      const processor = processorSeconds(server.pid) - processorBefore;
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
    for (let i = 0; i < (options.repeat ?? 5); i++) {
      for (const step of i % 2 ? steps.toReversed() : steps) await step();
    }
    const { peak } = processMemory(server.pid);
    await server.stop();
    await rm(own, { recursive: true, force: true });
    const peers = (value: (run: PeerRun) => number) => (peer.length > 0 ? { peer: peer.map(value) } : {});
    return {
      results: [
        {
          quantity: 'time; peer: write_h5ad',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          ...peers(({ write }) => write),
        },
        {
          quantity: 'time; peer: read_zarr and write_h5ad',
          unit: 's',
          ours: ours.map(({ seconds }) => seconds),
          ...peers(({ read, write }) => read + write),
        },
        {
          quantity: 'processor time of the server; peer: write_h5ad',
          unit: 's',
          ours: ours.map(({ processor }) => processor),
          ...peers(({ processor }) => processor),
        },
        {
          quantity: 'processor time of the server; peer: read_zarr and write_h5ad',
          unit: 's',
          ours: ours.map(({ processor }) => processor),
          ...peers(({ processorWithRead }) => processorWithRead),
        },
        {
          quantity: 'peak resident memory, whole server',
          unit: 'MiB',
          ours: [peak / mebibyte],
          ...peers(({ peak }) => peak / mebibyte),
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
