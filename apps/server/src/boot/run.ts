import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { listDatasets, openObjectStore } from '@cellfolio/store';
import { readSettings, type Settings } from './settings/read-settings.ts';
import { InvalidSettings } from './settings/setting-types.ts';
import { paths } from './paths.ts';
import { startServer } from './start-server.ts';
import { demoDatasetIds } from '../features/demo/index.ts';

/** Starts the server from the environment and stops it on SIGINT and SIGTERM. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.demo) await prepareDemoCatalogue(settings);
  const server = await startServer(settings, (stage) => process.stdout.write(`${stage}…\n`));
  process.stdout.write(greeting(server.siteUrl, server.demoAccounts));
  // Now, not when it ends: a process that is killed would leave nothing for the next.
  flushCompileCache();
  const stop = () => {
    const tooLong = setTimeout(() => {
      process.stderr.write('cellfolio: not everything was done in the time there was to stop.\n');
      process.exit(1);
    }, settings.shutdownSeconds * 1000);
    tooLong.unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** In a child process, so that the server does not keep the memory that simulating took. */
async function prepareDemoCatalogue(settings: Settings): Promise<void> {
  const objects = await openObjectStore(settings.objects);
  const { datasets } = await listDatasets(objects).finally(() => objects.close());
  const present = new Set(datasets.map(({ id }) => id));
  if (demoDatasetIds.every((id) => present.has(id))) return;
  process.stdout.write('Preparing the demo catalogue (simulated data, only at the first start)…\n');
  const child = spawn(process.execPath, [paths.commandLine, 'demo'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The demo catalogue could not be prepared (exit code ${code ?? 'none'}).`);
}

function greeting(
  address: string,
  accounts: readonly { tier: string; email: string; password: string }[],
): string {
  const lines = [``, `Cellfolio is ready at ${address}`];
  if (accounts.length > 0) {
    lines.push('', 'Demo accounts (this machine only):');
    for (const { tier, email, password } of accounts)
      lines.push(`  ${tier.padEnd(13)} ${email.padEnd(34)} ${password}`);
  }
  return `${lines.join('\n')}\n\n`;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Stop the other server or choose another PORT.`;
  }
  return error.message;
}

try {
  await main();
} catch (error) {
  const message = reason(error);
  process.stderr.write(`cellfolio: ${message}\n`);
  // A wrong setting or a known failure is one line; anything else also says where it came from.
  if (!(error instanceof InvalidSettings) && process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
}
