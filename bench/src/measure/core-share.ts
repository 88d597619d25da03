import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The processor's control groups, version 1. */
const groups = '/sys/fs/cgroup/cpu';
/** Short, so that a call seldom waits for the next. Microseconds. */
const period = 10_000;

/** A program that gets no more than a share of a core, whatever it would take and whatever is free. */
export interface CoreShare {
  /** Once the program has ended. */
  remove(): void;
}

/** Whether the machine lets us hold programs to shares of its cores. */
export function canShareCores(): boolean {
  const probe = join(groups, `cellfolio-bench-${process.pid}`);
  try {
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
}

/**
 * Holds a program with all its threads to a share of a core. Throws where `canShareCores` is false.
 *
 * @param share Above 0; 0.25 is a quarter of one core.
 */
export function shareCore(pid: number, share: number): CoreShare {
  const group = join(groups, `cellfolio-bench-${pid}`);
  mkdirSync(group);
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(period));
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(share * period)));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return { remove: () => rmdirSync(group) };
}
