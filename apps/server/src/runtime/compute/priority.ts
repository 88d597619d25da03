import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Sign-in, tables and health checks go before figures. */
const niceness = 10;
/** Only Linux has priorities per thread. */
const isLinux = process.platform === 'linux';

export function lowerThisThread(): void {
  if (isLinux) lowerTo(niceness);
}

/** Never raises: that is refused to an account without privileges, whose server was started with a lower priority. */
export function lowerTo(wanted: number, id = 0): void {
  if (getPriority(id) < wanted) setPriority(id, wanted);
}

/**
 * Also lowers V8's helper threads, which compile and collect garbage for all threads of the process: a first analysis
 * would take both of two cores for its compilation.
 */
export function lowerHelperThreads(): void {
  if (!isLinux) return;
  for (const thread of readdirSync('/proc/self/task')) {
    if (nameOf(thread) === 'V8Worker') lowerTo(niceness, Number(thread));
  }
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
