import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripTypeScriptTypes } from 'node:module';

export { clusteredPositions, randomBits, randomLayer, viewOf } from './seeded-cells.test-data.ts';

export interface ServedMap {
  /** Address of an empty page; `/index.ts` beside it is the package, for `import()`. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves this package to a browser from its sources with types stripped, so that tests and measurements use the written
 * code. `others`: more files by address, such as a library to compare with.
 */
export async function serveMap(others: ReadonlyMap<string, URL> = new Map()): Promise<ServedMap> {
  const fileOf = (path: string) => {
    const name = /^\/([\w.-]+\.ts)$/.exec(path)?.[1];
    return others.get(path) ?? (name === undefined ? undefined : new URL(`./${name}`, import.meta.url));
  };
  const answer = async (path: string, response: ServerResponse) => {
    const file = fileOf(path);
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Map</title>');
    } else if (file === undefined) {
      response.writeHead(404).end();
    } else {
      const source = await readFile(file, 'utf8');
      response.setHeader('content-type', 'text/javascript');
      response.end(file.pathname.endsWith('.ts') ? stripTypeScriptTypes(source) : source);
    }
  };
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://localhost').pathname, response).catch(() =>
      response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
