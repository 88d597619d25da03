import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadToolbox, overHttp } from '../features/assistant-tools/index.ts';
import { toolServer } from '../features/mcp/index.ts';
import { CommandFailure, exitCode } from './command.ts';

/** Serves the tools over standard input and output until the client closes them. */
export async function offerTools(
  url: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new CommandFailure(
      exitCode.usage,
      `--url: ${url} is not an address; give one such as http://127.0.0.1:3000`,
    );
  }
  const origin = url.replace(/\/+$/, '');
  const api = await overHttp(origin, apiKey);
  const toolbox = await loadToolbox();
  const { scopesOf } = toolbox;
  const served = serveStdio(() =>
    toolServer(toolbox, { api, origin, scopes: (ended) => scopesOf(api, ended) }),
  );
  await Promise.race([once(process.stdin, 'end'), once(signal, 'abort')]);
  await served.close();
}
