import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';

/** Built from apps/chat-map. */
const builtPage = fileURLToPath(new URL('../../../../chat-map/dist/map.html', import.meta.url));

/** MIME type of pages of MCP Apps (SEP-1865). */
const mimeType = 'text/html;profile=mcp-app';

/** The page changes with the version of the server. */
export const pageCaching = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const resourceOf = (uri: string) => ({
  uri,
  name: 'map',
  title: 'Map of the cells',
  description: 'A live map of the cells of a dataset, which show_map opens.',
  mimeType,
  // It names no domain: the page loads nothing, and gets its data by the host.
  _meta: { ui: { csp: {}, prefersBorder: true } },
});

/** Serves the page of `show_map` as a resource. `file`: its build, without which it is not listed. */
export function serveMapPage(server: Server, uri: string, file = builtPage): void {
  const page = () => readFile(file, 'utf8').catch(() => undefined);
  server.setRequestHandler('resources/list', async () => ({
    resources: (await page()) === undefined ? [] : [resourceOf(uri)],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    if (params.uri !== uri)
      throw new ResourceNotFoundError(params.uri, 'There is no such resource: see resources/list.');
    const text = await page();
    if (text === undefined) {
      const message = 'The map was not built on this server. Its operator builds it with: npm run build.';
      throw new ResourceNotFoundError(uri, message);
    }
    const { _meta } = resourceOf(uri);
    return { contents: [{ uri, mimeType, text, _meta }] };
  });
}
