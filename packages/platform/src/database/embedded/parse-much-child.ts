import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Engine } from './engine.ts';

/** Entry point of a process that has many statements parsed and reports its peak memory, in MiB. */
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const engine = new Engine({ cluster: process.argv[2]!, statementTimeoutMs: 60_000, log });
const parseMany = async (): Promise<void> => {
  for (let i = 0; i < 200; i++)
    await engine.maintain(`select ${i}, 'a' || $$b$$, ${i} + 1 as c where ${i} > 5`);
  // The compiler runs in the background and may finish later.
  await pause(1000);
};
await parseMany();
// By default V8 discards compiled code under memory pressure.
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as (options: object) => void)({ type: 'major', flavor: 'last-resort' });
await parseMany();
const status = readFileSync('/proc/self/status', 'utf8');
const kibibytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
await engine.close();
process.send?.(Math.round(kibibytes / 1024));
process.disconnect?.();
