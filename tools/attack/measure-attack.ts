import { setTimeout as sleep } from 'node:timers/promises';
import { mebibyte, processMemory } from '../../bench/src/measure/child.ts';
import type { Attack } from './attacker.ts';
import type { AttackedServer } from './attacked-server.ts';
import { AttackingProcess } from './attacker.ts';
import { Bystanders } from './bystanders.ts';
import { type MemoryCurve, type Sample, spreadOf } from './statistics.ts';

interface AttackPlan {
  readonly seconds: number;
  /** Each round has a phase of rest and one of attack, so that other load affects both. */
  readonly rounds: number;
  /** Time without calls before the final memory is measured. */
  readonly quietSeconds: number;
}

export interface AttackReport {
  readonly samples: readonly Sample[];
  readonly statuses: ReadonlyMap<number, number>;
  /** Seconds after each round until plots were as fast as before. */
  readonly recoveries: readonly number[];
  readonly memory: MemoryCurve;
  /** MiB, once per second. */
  readonly curve: readonly number[];
}

const warmUpSeconds = 6;
const recoveryTimeoutMilliseconds = 60_000;

/** Measures an attack on a new server. Throws ChildFailed; an error of `/proc` when the server died. */
export async function measureAttack(
  { name }: Attack,
  server: AttackedServer,
  { seconds, rounds, quietSeconds }: AttackPlan,
): Promise<AttackReport> {
  const others = new Bystanders(server);
  const attacking = new AttackingProcess(name, server.attacker);
  const resident = () => processMemory(server.pid).resident / mebibyte;
  const curve: number[] = [];
  let watch: NodeJS.Timeout | undefined;
  try {
    await attacking.prepare();
    await others.run(undefined, warmUpSeconds * 1000);
    // After the warm-up, as only the growth by the attack counts.
    await sleep(1000);
    const before = resident();
    watch = setInterval(() => curve.push(resident()), 1000);
    let statuses: ReadonlyMap<number, number> = new Map();
    const recoveries: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await others.run('before', seconds * 1000);
      const normal = 2 * spreadOf(others.samples, 'gene plot', 'before').median;
      attacking.begin();
      await others.run('during', seconds * 1000);
      statuses = await attacking.end();
      recoveries.push((await others.recover(normal, recoveryTimeoutMilliseconds)) / 1000);
    }
    await others.run('after', seconds * 1000);
    await attacking.close();
    await sleep(quietSeconds * 1000);
    const after = resident();
    return {
      samples: others.samples,
      statuses,
      recoveries,
      memory: { before, peak: Math.max(before, ...curve), after },
      curve,
    };
  } finally {
    clearInterval(watch);
    await attacking.close();
  }
}
