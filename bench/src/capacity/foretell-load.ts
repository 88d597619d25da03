import { type LoadUser, planOf } from '../server/load-plan.ts';
import { type CallClass, type KeptResults, kindOf } from './call-classes.ts';
import type { ThreadTimes } from '../measure/thread-times.ts';
import type { CallCost, CallCosts } from './measure-costs.ts';
import {
  type SimulatedAnswer,
  type SimulatedCall,
  simulateLoad,
  type SimulatedSystem,
  type Stage,
} from './simulate-load.ts';

export interface ForetoldLoad {
  readonly costs: CallCosts;
  /** Milliseconds of a core that a call takes of the program that makes it. */
  readonly caller: number;
  /** What the users of the load have open, and their genes. */
  readonly users: readonly Pick<LoadUser, 'dataset' | 'genes'>[];
  /** Of each user, in milliseconds: when in a second they call. */
  readonly beginnings: readonly number[];
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
  /** Milliseconds of a core that the calls made took of the server's threads. */
  readonly times: ThreadTimes;
}

/** How a load on one server turns out, from what its calls take alone: callers and server share the cores. */
export function foretellLoad(load: ForetoldLoad): Foretold {
  const { costs, users, seconds, seed, kept } = load;
  const plans = users.map((user, i) => planOf(user, seed + i));
  const classes = new Map<CallClass, number>();
  const answer = simulateLoad({
    system: oneMachine(load),
    callers: {
      kind: 'every-second',
      beginnings: load.beginnings,
      call: (user, turn) => {
        const plan = plans[user]!;
        const of = kept.classOf(plan[turn % plan.length]!, user, users[user]!.dataset);
        const made = classes.get(of) ?? 0;
        classes.set(of, made + 1);
        // Each of the measured calls in its turn.
        return {
          name: kindOf(of),
          stages: stagesOf(of, costs[of], {
            at: made,
            machine: 'server',
            caller: load.caller,
            computeThreads: load.computeThreads,
          }),
        };
      },
    },
    seconds,
    seed,
  });
  const total = (part: keyof ThreadTimes): number =>
    [...classes].reduce((sum, [name, calls]) => sum + calls * costs[name][part], 0);
  const times = {
    loop: total('loop'),
    database: total('database'),
    compute: total('compute'),
    aside: total('aside'),
  };
  return { ...answer, classes, times };
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

/** Tests of the whole matrix are cut into blocks of a million entries, so that other calls come in between. */
const piecesOf = (name: CallClass): number => (name === 'markers tested' ? 12 : 1);

/**
 * The way of a call: sent, read and checked, let in, looked up in the database, computed, answered, read by its caller.
 * The time that no thread worked on it while it was the only one is a pause. Calls of a class differ by the time that
 * they took alone; each stage is longer or shorter by as much.
 */
export function stagesOf(
  name: CallClass,
  cost: CallCost,
  given: { at: number; machine: string; caller: number; computeThreads: number },
): SimulatedCall['stages'] {
  const { at, machine, caller, computeThreads } = given;
  const mean = cost.alone.reduce((sum, one) => sum + one, 0) / cost.alone.length;
  const factor = cost.alone[at % cost.alone.length]! / mean;
  const work = (station: string, milliseconds: number): Stage => ({
    kind: 'work',
    at: station,
    milliseconds: milliseconds * factor,
  });
  const pieces = piecesOf(name);
  const worked = cost.loop + cost.database + cost.compute / Math.min(pieces, computeThreads) + caller;
  const pause: Stage = { kind: 'pause', milliseconds: Math.max(0, mean - worked) * factor };
  const aside: Stage = { kind: 'aside', machine, milliseconds: cost.aside * factor };
  const answer =
    elsewhere(cost) > 0
      ? [
          work('loop', cost.loop * asking),
          enter,
          aside,
          pause,
          ...(cost.database > 0 ? [work('database', cost.database)] : []),
          ...(cost.compute > 0
            ? [{ kind: 'spread', at: 'compute', milliseconds: cost.compute * factor, pieces } as const]
            : []),
          work('loop', cost.loop * (1 - asking)),
          leave,
        ]
      : [aside, pause, enter, work('loop', cost.loop), leave];
  return [work('caller', caller / 2), ...answer, work('caller', caller / 2)];
}

/**
 * What reading and checking a call takes of its time in the event loop: a whole call with little to answer takes a third
 * of one that answers with a figure, and half of that is the answer.
 */
const asking = 0.2;

const enter: Stage = { kind: 'enter' };
const leave: Stage = { kind: 'leave' };

/**
 * Milliseconds for which the event loop hands a call over, and takes others up. What it does not hand over it answers
 * without a stop. Less than a tenth of a millisecond is a chore of the database that fell into the measurement.
 */
function elsewhere({ database, compute }: CallCost): number {
  return (database > 0.1 ? database : 0) + compute;
}
