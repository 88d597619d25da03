import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import process from 'node:process';

/** How long a look at the memory is believed: a burst of calls looks once. */
const believedMilliseconds = 250;

/** Says whether memory is short: less than a twentieth of what the machine or container lets the process have is left. */
export function memoryGuard(
  look: () => { used: number; available: number } = measure,
  now: () => number = Date.now,
): () => boolean {
  let at = Number.NEGATIVE_INFINITY;
  let short = false;
  return () => {
    if (now() - at < believedMilliseconds) return short;
    at = now();
    const { used, available } = look();
    short = available < (used + available) / 20;
    return short;
  };
}

/** Bytes that the process holds, and bytes that it may still take (in a container: up to its limit). */
function measure(): { used: number; available: number } {
  return { used: process.memoryUsage.rss(), available: availableBytes() };
}

/**
 * A container is charged for the files that were read in it as long as nobody else needs the memory, and reading
 * datasets fills it so: what the system lets go of is available, as `freemem` of a machine counts it too.
 */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  // Zero, or beyond the machine, where no container sets a limit.
  if (limit === 0 || limit > totalmem()) return freemem();
  return Math.min(limit, process.availableMemory() + reclaimableBytes());
}

/**
 * Bytes of files that the system keeps in memory on account of this process's container, and lets go of when memory is
 * short (https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files). What waits to be written is left
 * out, as it has to be written first. 0 where the system does not tell.
 */
export function reclaimableBytes(read: (path: string) => string | undefined = readText): number {
  const text = statPaths(read('/proc/self/cgroup') ?? '')
    .map(read)
    .find((found) => found !== undefined);
  if (text === undefined) return 0;
  const stat = numbersOf(text);
  // The older kind of control groups has the sums of all below under names of their own.
  const of = (name: string, older: string): number => stat.get(older) ?? stat.get(name) ?? 0;
  const files = of('inactive_file', 'total_inactive_file') + of('active_file', 'total_active_file');
  const unwritten = of('file_dirty', 'total_dirty') + of('file_writeback', 'total_writeback');
  return Math.max(0, files - unwritten);
}

/**
 * Where the control group of this process tells of its memory; lines of `groups` are `number:controllers:path`. Inside a
 * container the path may be that of the machine outside, and its own group the root.
 */
function statPaths(groups: string): readonly string[] {
  const lines = groups.split('\n').map((line) => line.split(':'));
  const older = lines.find(([, controllers]) => controllers?.split(',').includes('memory'));
  const root = older ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup';
  const line = older ?? lines.find(([number, controllers]) => number === '0' && controllers === '');
  return [`${root}${line ? pathOf(line) : ''}/memory.stat`, `${root}/memory.stat`];
}

/** A path may have colons itself; the root is `/`. */
function pathOf(line: readonly string[]): string {
  return line.slice(2).join(':').replace(/\/$/, '');
}

function numbersOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split('\n').map((line) => {
      const [name = '', value] = line.split(' ');
      return [name, Number(value)];
    }),
  );
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
