import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext, ImportedDataset } from '../bench-context.ts';
import { LineServer, processMemory, processorTime } from '../measure/child.ts';
import { paths } from '../paths.ts';
import { ExplorerClient, startServing } from './running-server.ts';

export interface AnalysisServer {
  readonly address: string;
  readonly client: ExplorerClient;
  readonly environment: Readonly<Record<string, string>>;
  readonly peak: () => number;
  readonly processor: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a server with two compute threads, as the peers have, and without the figure cache. */
export async function openAnalysisServer({ dataDir, id }: ImportedDataset): Promise<AnalysisServer> {
  const own = join(dataDir, 'analysis-server');
  const environment = {
    DATA_DIR: own,
    OBJECT_STORE_URL: `file:${join(dataDir, 'objects')}`,
    DEMO: 'false',
    LOG_LEVEL: 'error',
    COMPUTE_THREADS: '2',
    FIGURE_CACHE_MB: '0',
  };
  const command = [process.execPath, paths.serverStart] as const;
  // The first start creates the database.
  await (await startServing(command, environment)).stop();
  const server = await startServing(command, environment);
  const client = await ExplorerClient.signUp(server.address);
  await client.openDataset(id);
  return {
    address: server.address,
    client,
    environment,
    peak: () => processMemory(server.pid).peak,
    processor: () => processorTime(server.pid),
    close: async () => {
      await server.stop();
      await rm(own, { recursive: true, force: true });
    },
  };
}

interface AnalysisPeer {
  readonly time: (request: object) => Promise<number>;
  readonly peak: () => number;
  readonly processor: () => number;
  readonly close: () => Promise<void>;
}

export async function openAnalysisPeer(
  { python }: BenchContext,
  { path }: ImportedDataset,
): Promise<AnalysisPeer | undefined> {
  if (python === undefined) return undefined;
  const peer = new LineServer(python, [paths.analysisPeer, path]);
  await peer.answer();
  return {
    time: async (request) => ((await peer.ask(request)) as { seconds: number }).seconds * 1000,
    peak: () => processMemory(peer.pid).peak,
    processor: () => processorTime(peer.pid),
    close: () => peer.close(),
  };
}
