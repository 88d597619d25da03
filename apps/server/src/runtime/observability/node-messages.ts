import { hostname } from 'node:os';

const writeText = process.stderr.write.bind(process.stderr) as (text: string) => boolean;

/** Levels of pino. */
const levels = { warn: 40, fatal: 60 } as const;

/**
 * Writes Node's plain-text messages on standard error as JSON lines instead: its warnings, output of threads, and an
 * uncaught error, which ends the process with 1. Does not use pino, so that a process can call it before anything else
 * is loaded. On a terminal Node's own text stays.
 */
export function logNodeMessages(): void {
  if (process.stderr.isTTY) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => writeError('warn', warning));
  process.on('uncaughtException', (error) => {
    writeError('fatal', error);
    process.exit(1);
  });
  // Warnings of threads arrive here.
  process.stderr.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    write('warn', { msg: text.trimEnd() });
    const done = more.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}

function writeError(level: keyof typeof levels, error: Error): void {
  const { name, message, stack } = error;
  write(level, { err: { type: name, message, stack }, msg: `${name}: ${message}` });
}

function write(level: keyof typeof levels, fields: object): void {
  const line = {
    level: levels[level],
    time: Date.now(),
    pid: process.pid,
    hostname: hostname(),
    ...fields,
  };
  writeText(`${JSON.stringify(line)}\n`);
}
