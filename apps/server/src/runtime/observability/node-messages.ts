import { hostname } from 'node:os';

const writeText = process.stderr.write.bind(process.stderr) as (text: string) => boolean;

/** Levels of pino. */
const levels = { warn: 40, fatal: 60 } as const;

/**
 * Writes what Node prints as text on standard error as lines of JSON, there too: its warnings, what threads print, and an
 * error that nothing caught, which ends the process with 1. Without pino, so that a process can begin with it before
 * anything else is loaded. A person at a terminal gets Node's own text.
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
