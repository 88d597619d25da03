import { SeededBits } from '../data/seeded-bits.ts';

/** Calls of one kind: how many of all, and how long one takes a core that has nothing else to do. */
export interface SimulatedKind {
  readonly name: string;
  /** Of all calls, from 0 to 1. */
  readonly share: number;
  /** Milliseconds, as measured one call at a time; drawn from at random. */
  readonly service: readonly number[];
}

export interface SimulatedLoad {
  readonly kinds: readonly SimulatedKind[];
  readonly callsPerSecond: number;
  readonly seconds: number;
  readonly cores: number;
  readonly seed: number;
}

export interface SimulatedAnswer {
  /** Milliseconds from a call to its answer, by kind. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  /** Share of the time that the cores work. Above 1 they never catch up. */
  readonly utilisation: number;
}

/**
 * Calls that come at random moments and wait in one queue for the first core that is free: what a measured service time
 * becomes under load (an M/G/c queue).
 */
export function simulateLoad(load: SimulatedLoad): SimulatedAnswer {
  const { kinds, callsPerSecond, seconds, cores, seed } = load;
  const random = uniform(seed);
  // Several kinds may share a name: calls of it that take different times.
  const latencies = new Map(kinds.map(({ name }) => [name, [] as number[]]));
  const freeAt = new Float64Array(cores);
  let worked = 0;
  let now = 0;
  for (;;) {
    now += (-Math.log(1 - random()) / callsPerSecond) * 1000;
    if (now > seconds * 1000) break;
    const kind = kindAt(kinds, random());
    const service = kind.service[Math.floor(random() * kind.service.length)]!;
    let core = 0;
    for (let other = 1; other < cores; other++) if (freeAt[other]! < freeAt[core]!) core = other;
    const end = Math.max(now, freeAt[core]!) + service;
    freeAt[core] = end;
    worked += service;
    latencies.get(kind.name)!.push(end - now);
  }
  return { latencies, utilisation: worked / (cores * seconds * 1000) };
}

function kindAt(kinds: readonly SimulatedKind[], point: number): SimulatedKind {
  let sum = 0;
  for (const kind of kinds) {
    sum += kind.share;
    if (point < sum) return kind;
  }
  return kinds.at(-1)!;
}

/** Numbers from 0 to just below 1. */
function uniform(seed: number): () => number {
  const bits = new SeededBits(seed);
  const drawn = new Uint32Array(1);
  return () => {
    bits.drawInto(drawn);
    return drawn[0]! / 2 ** 32;
  };
}
