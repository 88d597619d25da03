import {
  type CallToolResult,
  Client,
  type RequestOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';

export const revision = '2026-07-28';

/** A client over HTTP; `legacy` opens with the handshake of the revision before. */
export function connectTools(
  siteUrl: string,
  headers: Record<string, string>,
  mode: 'legacy' | { pin: string } = { pin: revision },
) {
  return toolsOver(
    new StreamableHTTPClientTransport(new URL(`${siteUrl}/mcp`), { requestInit: { headers } }),
    mode,
  );
}

/** The official client, which checks structured results by the schemas of their tools. */
export async function toolsOver(transport: Transport, mode: 'legacy' | { pin: string } = { pin: revision }) {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  // The client checks results by the schemas that it has listed.
  let listed: Promise<unknown> | undefined;
  return {
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
    async call(name: string, args: object = {}, options: RequestOptions = {}) {
      await (listed ??= client.listTools());
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> }, options);
      const { isError, structuredContent: data, content } = result as CallToolResult;
      const { text } = content[0] as { text: string };
      return { isError, data: data as unknown, content, text, fenced: fencedIn(text) };
    },
  };
}

/** The data between the marks of a text, which are its last three lines. */
function fencedIn(text: string): unknown {
  const [notice, mark, json, end, ...others] = text.split('\n');
  expect(mark).toMatch(/^DATA-[\w-]{12}$/);
  expect(end).toBe(mark);
  expect(notice).toContain(mark);
  expect(others).toEqual([]);
  return JSON.parse(json!);
}
