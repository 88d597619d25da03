import { SeededBits } from '../data/seeded-bits.ts';
import { Cores } from './cores.ts';
import { Timers } from './timers.ts';

/** What a call goes through, one after the other. */
export type Stage =
  /** Processor time at a station, which works on so many calls at once as it has threads. */
  | { readonly kind: 'work'; readonly at: string; readonly milliseconds: number }
  /** The same in equal pieces, of which as many are worked on or wait at a time as the station has threads. */
  | { readonly kind: 'spread'; readonly at: string; readonly milliseconds: number; readonly pieces: number }
  /** Processor time that the call causes and does not wait for. */
  | { readonly kind: 'aside'; readonly machine: string; readonly milliseconds: number }
  /** Time that passes and takes no core: a thread is woken, bytes travel. */
  | { readonly kind: 'pause'; readonly milliseconds: number }
  /** From here to `leave` the call counts among those that are let in, and before it may wait to be. */
  | { readonly kind: 'enter' | 'leave' };

/** A call: its name for the report, and its stages. */
export interface SimulatedCall {
  readonly name: string;
  readonly stages: readonly Stage[];
}

export interface SimulatedSystem {
  readonly machines: readonly { readonly name: string; readonly cores: number }[];
  readonly stations: readonly { readonly name: string; readonly machine: string; readonly threads: number }[];
  /** Calls that are let in at a time. */
  readonly admitted: number;
}

/** Who calls, and when. */
export type Callers =
  /** Calls come at random moments, whatever became of those before. */
  | { readonly kind: 'random'; readonly callsPerSecond: number; call(random: () => number): SimulatedCall }
  /**
   * Users who call once a second, each at a moment of their own, or as soon as they are answered where that takes
   * longer. `beginnings`: milliseconds after which each begins.
   */
  | {
      readonly kind: 'every-second';
      readonly beginnings: readonly number[];
      call(user: number, turn: number): SimulatedCall;
    };

export interface SimulatedLoad {
  readonly system: SimulatedSystem;
  readonly callers: Callers;
  readonly seconds: number;
  readonly seed: number;
}

export interface SimulatedAnswer {
  /** Milliseconds from a call to its answer, by name. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  readonly answered: number;
  /** Share of the time that the cores of each machine work. */
  readonly utilisation: ReadonlyMap<string, number>;
}

interface Station {
  readonly cores: Cores;
  readonly threads: number;
  free: number;
  readonly waiting: (() => void)[];
}

/**
 * A network of queues: calls go from station to station, each of which has its threads and lets calls wait in order,
 * while all threads of a machine that have work share its cores evenly.
 */
export function simulateLoad({ system, callers, seconds, seed }: SimulatedLoad): SimulatedAnswer {
  const timers = new Timers();
  const machines = new Map(system.machines.map(({ name, cores }) => [name, new Cores(cores, timers)]));
  const stations = new Map(
    system.stations.map(({ name, machine, threads }): [string, Station] => [
      name,
      { cores: machines.get(machine)!, threads, free: threads, waiting: [] },
    ]),
  );
  const latencies = new Map<string, number[]>();
  const gate = { free: system.admitted, waiting: [] as (() => void)[] };
  const end = seconds * 1000;
  let answered = 0;

  const send = ({ name, stages }: SimulatedCall, done: () => void): void => {
    const sent = timers.now;
    const next = (i: number): void => {
      const stage = stages[i];
      if (stage === undefined) {
        const taken = latencies.get(name);
        if (taken) taken.push(timers.now - sent);
        else latencies.set(name, [timers.now - sent]);
        answered += 1;
        return done();
      }
      switch (stage.kind) {
        case 'work':
          return work(stations.get(stage.at)!, stage.milliseconds, () => next(i + 1));
        case 'spread':
          return spread(stations.get(stage.at)!, stage, () => next(i + 1));
        case 'aside':
          machines.get(stage.machine)!.run(stage.milliseconds, () => {});
          return next(i + 1);
        case 'pause':
          return timers.at(timers.now + stage.milliseconds, () => next(i + 1));
        case 'enter':
          if (gate.free === 0) return void gate.waiting.push(() => next(i + 1));
          gate.free -= 1;
          return next(i + 1);
        case 'leave': {
          const waits = gate.waiting.shift();
          if (waits) timers.at(timers.now, waits);
          else gate.free += 1;
          return next(i + 1);
        }
      }
    };
    next(0);
  };
  begin(callers, { timers, end, seed, send });
  timers.run(end);
  const utilisation = new Map(
    [...machines].map(([name, cores]) => [name, cores.worked / (cores.count * end)]),
  );
  return { latencies, answered, utilisation };
}

function work(station: Station, milliseconds: number, done: () => void): void {
  if (station.free === 0) {
    station.waiting.push(() => work(station, milliseconds, done));
    return;
  }
  station.free -= 1;
  station.cores.run(milliseconds, () => {
    station.free += 1;
    station.waiting.shift()?.();
    done();
  });
}

function spread(
  station: Station,
  { milliseconds, pieces }: { milliseconds: number; pieces: number },
  done: () => void,
): void {
  let begun = 0;
  let ended = 0;
  const piece = (): void => {
    begun += 1;
    work(station, milliseconds / pieces, () => {
      ended += 1;
      if (begun < pieces) piece();
      else if (ended === pieces) done();
    });
  };
  for (let lane = 0; lane < Math.min(station.threads, pieces); lane++) piece();
}

function begin(
  callers: Callers,
  {
    timers,
    end,
    seed,
    send,
  }: {
    timers: Timers;
    end: number;
    seed: number;
    send: (call: SimulatedCall, done: () => void) => void;
  },
): void {
  if (callers.kind === 'random') {
    const random = uniform(seed);
    const again = (): void => {
      const wait = (-Math.log(1 - random()) / callers.callsPerSecond) * 1000;
      timers.at(timers.now + wait, () => {
        if (timers.now >= end) return;
        send(callers.call(random), () => {});
        again();
      });
    };
    again();
    return;
  }
  for (const [user, beginning] of callers.beginnings.entries()) {
    const turn = (number: number): void => {
      const earliest = timers.now + 1000 - ((timers.now - beginning) % 1000);
      send(callers.call(user, number), () => {
        timers.at(Math.max(timers.now, earliest), () => {
          if (timers.now < end) turn(number + 1);
        });
      });
    };
    timers.at(beginning, () => turn(0));
  }
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
