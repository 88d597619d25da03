import { type LoadUser, planOf } from '../server/load-plan.ts';
import { type CallClass, type KeptResults, kindOf } from './call-classes.ts';
import { type CallCost, type CallCosts, coreTime } from './measure-costs.ts';
import {
  type SimulatedAnswer,
  type SimulatedCall,
  simulateLoad,
  type SimulatedSystem,
  type Stage,
} from './simulate-load.ts';

export interface ForetoldLoad {
  readonly costs: CallCosts;
  /** What the users of the load have open, and their genes. */
  readonly users: readonly Pick<LoadUser, 'dataset' | 'genes'>[];
  readonly seconds: number;
  readonly seed: number;
  readonly cores: number;
  readonly computeThreads: number;
  /** What the server has kept when the load begins; at the end it is what is kept then. */
  readonly kept: KeptResults;
}

export interface Foretold extends SimulatedAnswer {
  /** Calls that were made of each class. */
  readonly classes: ReadonlyMap<CallClass, number>;
  /** Milliseconds that the calls made took of the server's cores, and of the callers'. */
  readonly coreTime: number;
  readonly callerTime: number;
}

/** How a load on one server turns out, from what its calls take alone: callers and server share the cores. */
export function foretellLoad(load: ForetoldLoad): Foretold {
  const { costs, users, seconds, seed, kept } = load;
  const plans = users.map((user, i) => planOf(user, seed + i));
  const classes = new Map<CallClass, number>();
  const answer = simulateLoad({
    system: oneMachine(load),
    callers: {
      kind: 'together',
      users: users.length,
      call: (user, turn) => {
        const plan = plans[user]!;
        const of = kept.classOf(plan[turn % plan.length]!, user, users[user]!.dataset);
        const made = classes.get(of) ?? 0;
        classes.set(of, made + 1);
        // Each of the measured calls in its turn.
        return { name: kindOf(of), stages: stagesOf(costs[of], made, 'server') };
      },
    },
    seconds,
    seed,
  });
  const total = (of: (cost: CallCost) => number): number =>
    [...classes].reduce((sum, [name, calls]) => sum + calls * of(costs[name]), 0);
  return { ...answer, classes, coreTime: total(coreTime), callerTime: total(({ caller }) => caller) };
}

function oneMachine({
  cores,
  computeThreads,
}: Pick<ForetoldLoad, 'cores' | 'computeThreads'>): SimulatedSystem {
  const station = (name: string, threads: number) => ({ name, machine: 'server', threads });
  return {
    machines: [{ name: 'server', cores }],
    stations: [
      station('caller', 1),
      station('loop', 1),
      station('database', 1),
      station('compute', computeThreads),
    ],
    admitted: admittedBy(computeThreads),
  };
}

/** As many calls are answered at a time as the settings of the server say. */
export const admittedBy = (computeThreads: number): number => Math.max(4, 3 * computeThreads);

/**
 * The way of a call: sent, read and checked, let in, looked up in the database, computed, answered, read by its caller.
 * The time that no thread worked on it while it was the only one is a pause. Calls of a class differ by the time that
 * they took alone; each stage is longer or shorter by as much.
 */
export function stagesOf(cost: CallCost, at: number, machine: string): SimulatedCall['stages'] {
  const mean = cost.alone.reduce((sum, one) => sum + one, 0) / cost.alone.length;
  const factor = cost.alone[at % cost.alone.length]! / mean;
  const work = (station: string, milliseconds: number): Stage => ({
    kind: 'work',
    at: station,
    milliseconds: milliseconds * factor,
  });
  const worked = cost.loop + cost.database + cost.compute + cost.caller;
  return [
    work('caller', cost.caller / 2),
    work('loop', cost.loop / 2),
    { kind: 'enter' },
    { kind: 'aside', machine, milliseconds: cost.aside * factor },
    { kind: 'pause', milliseconds: Math.max(0, mean - worked) * factor },
    ...(cost.database > 0 ? [work('database', cost.database)] : []),
    ...(cost.compute > 0 ? [work('compute', cost.compute)] : []),
    work('loop', cost.loop / 2),
    { kind: 'leave' },
    work('caller', cost.caller / 2),
  ];
}
