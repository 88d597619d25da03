import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { listDatasets, openObjectStore } from '@cellfolio/store';
import { pino } from 'pino';
import { logSettings } from '../runtime/observability/log-settings.ts';
import { readSettings, type Settings } from './settings/read-settings.ts';
import { InvalidSettings } from './settings/setting-types.ts';
import { paths } from './paths.ts';
import { startServer } from './start-server.ts';
import { demoDatasetIds } from '../features/demo/index.ts';

const log = pino(logSettings('info'));

async function main(settings: Settings): Promise<void> {
  log.level = settings.logLevel;
  // A demo is read by a person, also through a pipe; of a server, the log is all that it prints.
  const readable = settings.demo || process.stdout.isTTY;
  const tell = (line: string) => (readable ? process.stdout.write(`${line}\n`) : log.info(line));
  if (settings.demo) await prepareDemoCatalogue(settings);
  const server = await startServer(settings, (stage) => tell(`${stage}…`));
  const stop = () => {
    const timeout = setTimeout(() => {
      log.error('shutdown timed out before all calls and jobs had ended');
      process.exit(1);
    }, settings.shutdownSeconds * 1000);
    timeout.unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  tell(readable ? greeting(server.siteUrl, server.demoAccounts) : `Cellfolio is ready at ${server.siteUrl}`);
  // Now rather than at exit, so that a killed process leaves it to the next.
  flushCompileCache();
}

/** Runs in a child process, so that the server does not keep the memory of the simulation. */
async function prepareDemoCatalogue(settings: Settings): Promise<void> {
  const objects = await openObjectStore(settings.objects);
  const { datasets } = await listDatasets(objects).finally(() => objects.close());
  const present = new Set(datasets.map(({ id }) => id));
  if (demoDatasetIds.every((id) => present.has(id))) return;
  process.stdout.write('Preparing the demo catalog (simulated data, first start only)…\n');
  const child = spawn(process.execPath, [paths.commandLine, 'demo'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The demo catalog could not be prepared (exit code ${code ?? 'none'}).`);
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
  return `${lines.join('\n')}\n`;
}

function failureOf(error: unknown, settings: Settings | undefined): { message: string; setting?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { syscall, code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen' && settings) {
    const of = port === settings.metrics?.port ? 'METRICS_' : '';
    const setting = `${of}${code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'}`;
    const remedy = code === 'EADDRINUSE' ? ` Stop the other server or choose another ${setting}.` : '';
    return { setting, message: `${setting}: ${error.message}.${remedy}` };
  }
  if (syscall === 'mkdir' && settings) return { setting: 'DATA_DIR', message: `DATA_DIR: ${error.message}` };
  const { setting } = error as { setting?: unknown };
  return { message: error.message, ...(typeof setting === 'string' && { setting }) };
}

let settings: Settings | undefined;
try {
  settings = readSettings(process.env);
  await main(settings);
} catch (error) {
  const { message, setting } = failureOf(error, settings);
  // Only LOG_LEVEL=debug prints a stack trace, and never that of an invalid setting.
  const cause = !(error instanceof InvalidSettings) && settings?.logLevel === 'debug' ? { err: error } : {};
  if (process.stderr.isTTY) process.stderr.write(`cellfolio: ${message}\n`);
  else
    pino(logSettings('info'), pino.destination(2)).fatal({ ...(setting && { setting }), ...cause }, message);
  process.exit(1);
}
