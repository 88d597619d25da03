import { setTimeout as sleep } from 'node:timers/promises';
import { mebibyte, processMemory } from '../measure/child.ts';
import type { Attack } from './attacker.ts';
import type { AttackedServer } from './attacked-server.ts';
import { AttackingProcess } from './attacker.ts';
import { Bystanders } from './bystanders.ts';
import { type MemoryCurve, type Sample, spreadOf } from './statistics.ts';

export interface AttackPlan {
  /** Of each phase. */
  readonly seconds: number;
  /** Attacks, each with as long a time of rest before it: what else the machine does falls on both. */
  readonly rounds: number;
  /** Without any call, before the memory is looked at for the last time. */
  readonly quietSeconds: number;
}

export interface AttackReport {
  readonly samples: readonly Sample[];
  /** Answers to the attacker by status; 0: broken, or given up at the end. */
  readonly answers: ReadonlyMap<number, number>;
  /** Seconds after each round until plots were drawn as before. */
  readonly recoveries: readonly number[];
  readonly memory: MemoryCurve;
  /** MiB, a second apart, from before the first round to the end of the quiet. */
  readonly curve: readonly number[];
}

const warmUpSeconds = 6;
const longestRecovery = 60_000;

/** Makes an attack on a server that has just been started. Throws ChildFailed; an error of `/proc` where the server died. */
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
    await others.live(undefined, warmUpSeconds * 1000);
    // What was warmed up counts as there before; whether memory is given back is asked of the attack.
    await sleep(1000);
    const before = resident();
    watch = setInterval(() => curve.push(resident()), 1000);
    let answers: ReadonlyMap<number, number> = new Map();
    const recoveries: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await others.live('before', seconds * 1000);
      const usual = 2 * spreadOf(others.samples, 'gene plot', 'before').half;
      attacking.begin();
      // From its first second on everybody is in it.
      await others.live('during', seconds * 1000);
      answers = await attacking.end();
      recoveries.push((await others.untilAsUsual(usual, longestRecovery)) / 1000);
    }
    await others.live('after', seconds * 1000);
    await attacking.close();
    await sleep(quietSeconds * 1000);
    const after = resident();
    return {
      samples: others.samples,
      answers,
      recoveries,
      memory: { before, peak: Math.max(before, ...curve), after },
      curve,
    };
  } finally {
    clearInterval(watch);
    await attacking.close();
  }
}
