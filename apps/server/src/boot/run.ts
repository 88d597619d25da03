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
  // Now rather than at exit, so that a killed process leaves it to the next.
  flushCompileCache();
  const stop = () => {
    const timeout = setTimeout(() => {
      process.stderr.write('cellfolio: shutdown timed out before all calls and jobs had ended.\n');
      process.exit(1);
    }, settings.shutdownSeconds * 1000);
    timeout.unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** In a child process, so that the server does not keep the memory of the simulation. */
async function prepareDemoCatalogue(settings: Settings): Promise<void> {
  const objects = await openObjectStore(settings.objects);
  const { datasets } = await listDatasets(objects).finally(() => objects.close());
  const present = new Set(datasets.map(({ id }) => id));
  if (demoDatasetIds.every((id) => present.has(id))) return;
  process.stdout.write('Preparing the demo catalogue (simulated data, first start only)…\n');
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
  // Only LOG_LEVEL=debug prints a stack trace, and never that of an invalid setting.
  if (!(error instanceof InvalidSettings) && process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
}
