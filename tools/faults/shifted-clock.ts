import { readFileSync } from 'node:fs';

/**
 * Loaded before a process by `--import`: its wall clock is off by as many milliseconds as the file says that
 * FAULTS_CLOCK names, read again at each SIGUSR2. Timers and performance.now() go on as ever, as they do on a machine
 * whose clock is set.
 */
const real = Date;
const file = process.env['FAULTS_CLOCK'];
let offset = 0;

const read = (): void => {
  try {
    offset = Number(readFileSync(file ?? '', 'utf8')) || 0;
  } catch {
    offset = 0;
  }
};
const now = (): number => real.now() + offset;

read();
process.on('SIGUSR2', read);
globalThis.Date = new Proxy(real, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as object,
  apply: () => new real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
