import { inTurn } from '../server/load-users.ts';
import type { Asked, LoadUser } from '../server/load-plan.ts';
import { popularGenes } from '../server/load-plan.ts';
import { median } from '../measure/statistics.ts';
import { sumOfTimes, type ThreadTimes, threadTimes, timesBetween } from '../measure/thread-times.ts';
import { type CallClass, callClasses } from './call-classes.ts';

/** What a call of a class takes when it is the only one. Milliseconds; times of threads are processor time. */
export interface CallCost extends ThreadTimes {
  /** From a call to its answer, one for each call that was made. */
  readonly alone: readonly number[];
}

export type CallCosts = Readonly<Record<CallClass, CallCost>>;

export interface Measured {
  readonly address: string;
  readonly pid: number;
  readonly database: 'embedded' | 'apart';
  /** One of each dataset. */
  readonly users: readonly LoadUser[];
}

/** Calls of a class and dataset. */
const repetitions = 20;
/** Fewer of what takes a pass over the matrix. */
const tests = 8;

/** What is asked without being measured, and what is. */
interface Round {
  readonly before: readonly Asked[];
  readonly calls: readonly Asked[];
}

/**
 * Makes calls of each class one at a time, and looks at what the threads of the server took for them. Of the users'
 * costs the one in the middle counts, so that a chore of the database that falls into the calls of one does not.
 */
export async function measureCosts(measured: Measured): Promise<CallCosts> {
  const costs = {} as Record<CallClass, CallCost>;
  for (const of of callClasses) {
    const ofUsers: CallCost[] = [];
    for (const user of measured.users) {
      const parts: CallCost[] = [];
      for (const round of roundsOf[of](user.genes)) parts.push(await costOf(measured, user, round));
      ofUsers.push(joined(parts));
    }
    const middle = (take: (cost: CallCost) => number): number => median(ofUsers.map(take));
    costs[of] = {
      loop: middle(({ loop }) => loop),
      database: middle(({ database }) => database),
      compute: middle(({ compute }) => compute),
      aside: middle(({ aside }) => aside),
      alone: ofUsers.flatMap(({ alone }) => alone),
    };
  }
  return costs;
}

const all: Asked = { kind: 'filter', gene: undefined };
const markers: Asked = { kind: 'markers' };
const search: Asked = { kind: 'search' };
const plot = (gene: string): Asked => ({ kind: 'gene plot', gene });
const filter = (gene: string): Asked => ({ kind: 'filter', gene });
const repeated = (asked: Asked): Asked[] => Array.from({ length: repetitions }, () => asked);
/** Genes that no plan asks for often: from the end, where none is popular. */
const rare = (genes: readonly string[], from: number) =>
  genes.slice(-from - repetitions, genes.length - from);

const roundsOf: Record<CallClass, (genes: readonly string[]) => readonly Round[]> = {
  'plot drawn': (genes) => [{ before: [all], calls: rare(genes, 0).map(plot) }],
  'plot kept': ([gene]) => [{ before: [all, plot(gene!)], calls: repeated(plot(gene!)) }],
  'filter built': (genes) => [{ before: [], calls: rare(genes, repetitions).map(filter) }],
  'filter kept': ([gene]) => [{ before: [filter(gene!)], calls: repeated(filter(gene!)) }],
  'filter all': () => [{ before: [], calls: repeated(all) }],
  'markers tested': (genes) =>
    genes
      .slice(popularGenes, popularGenes + tests)
      .map((gene) => ({ before: [filter(gene)], calls: [markers] })),
  'markers kept': () => [{ before: [all, markers], calls: repeated(markers) }],
  search: () => [{ before: [], calls: repeated(search) }],
};

async function costOf(measured: Measured, user: LoadUser, { before, calls }: Round): Promise<CallCost> {
  const { address, pid, database } = measured;
  if (before.length > 0) await inTurn(address, user, before);
  const start = threadTimes(pid, database);
  const alone = await inTurn(address, user, calls);
  const times = timesBetween(start, threadTimes(pid, database));
  return { ...times, alone };
}

/** The mean of all calls of a class. */
function joined(parts: readonly CallCost[]): CallCost {
  const alone = parts.flatMap((part) => part.alone);
  const each = (take: (part: CallCost) => number): number =>
    parts.reduce((sum, part) => sum + take(part), 0) / alone.length;
  return {
    loop: each((part) => part.loop),
    database: each((part) => part.database),
    compute: each((part) => part.compute),
    aside: each((part) => part.aside),
    alone,
  };
}

/**
 * The costs as they are under load, where threads take turns and share the caches of the cores: each part times what a
 * load took more than its calls take alone.
 */
export function underLoad(costs: CallCosts, seen: ThreadTimes, told: ThreadTimes): CallCosts {
  const more = (part: keyof ThreadTimes): number => (told[part] > 0 ? seen[part] / told[part] : 1);
  const factors = {
    loop: more('loop'),
    database: more('database'),
    compute: more('compute'),
    aside: more('aside'),
  };
  return Object.fromEntries(
    callClasses.map((name): [CallClass, CallCost] => {
      const { loop, database, compute, aside, alone } = costs[name];
      return [
        name,
        {
          loop: loop * factors.loop,
          database: database * factors.database,
          compute: compute * factors.compute,
          aside: aside * factors.aside,
          alone,
        },
      ];
    }),
  ) as unknown as CallCosts;
}

/** What a call takes of the server's cores. */
export const coreTime = (cost: CallCost): number => sumOfTimes(cost);
