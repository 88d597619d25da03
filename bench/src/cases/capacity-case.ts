import { availableParallelism } from 'node:os';
import type { BenchCase } from '../bench-context.ts';
import { callClasses, KeptResults } from '../capacity/call-classes.ts';
import { type CallCosts, coreTime, measureCosts } from '../capacity/measure-costs.ts';
import { foretellLoad, type Foretold } from '../capacity/foretell-load.ts';
import type { Result } from '../measure/result.ts';
import { quantile } from '../measure/statistics.ts';
import { sumOfTimes, threadTimes, timesBetween } from '../measure/thread-times.ts';
import { load, type LoadReport } from '../server/load-users.ts';
import type { LoadUser } from '../server/load-plan.ts';
import { type LoadedServer, startLoadedServer } from '../server/loaded-server.ts';
import { ExplorerClient } from '../server/explorer-client.ts';

const warmUp = { users: 30, seconds: 30 };
const steps = [20, 50, 100, 200];
const secondsOfStep = 60;
/** As the settings of the server have it, with its allowance for what goes with a figure. */
const figureCache = { bytes: 64 * 2 ** 20, besides: 8 * 2 ** 10 };
/** How far the model may be from what is measured. */
const tolerance = 0.25;

interface Step {
  readonly users: number;
  readonly measured: LoadReport & { readonly coreTime: number; readonly callerTime: number };
  readonly foretold: Foretold;
}

/** What calls cost one at a time, and whether a model fed by that foretells what many users at once will see. */
export const capacityCase: BenchCase = {
  name: 'capacity',
  title: 'what calls cost, and loads of one server as foretold and as measured',
  async run(context) {
    const server = await startLoadedServer(context, { name: 'capacity', users: Math.max(...steps) });
    try {
      const cores = availableParallelism();
      const computeThreads = Math.min(4, cores);
      const kept = new KeptResults(await figuresKept(server));
      const foretell = (users: readonly LoadUser[], seconds: number, seed: number, costs: CallCosts) =>
        foretellLoad({ costs, users, seconds, seed, cores, computeThreads, kept });
      context.report('capacity: warming up');
      await loadOf(server, warmUp.users, warmUp.seconds, 1);
      context.report('capacity: one call at a time');
      const costs = await measureCosts({
        address: server.address,
        pid: server.pid,
        database: 'embedded',
        users: server.users.slice(0, server.datasets.length),
      });
      foretell(server.users.slice(0, warmUp.users), warmUp.seconds, 1, costs);
      const done: Step[] = [];
      for (const [i, users] of steps.entries()) {
        context.report(`capacity: ${users} users for ${secondsOfStep} s`);
        const seed = 1000 * (i + 1);
        const measured = await loadOf(server, users, secondsOfStep, seed);
        done.push({
          users,
          measured,
          foretold: foretell(server.users.slice(0, users), secondsOfStep, seed, costs),
        });
      }
      return {
        results: done.flatMap(resultsOf),
        notes: [
          `datasets of ${server.datasets.map(({ size: { cells, genes } }) => `${cells} × ${genes}`).join(', ')}; callers, server and embedded database on the same ${cores} cores`,
          ...costLines(costs),
          ...done.map(lineOf),
        ],
      };
    } finally {
      await server.remove();
    }
  },
};

async function loadOf(server: LoadedServer, users: number, seconds: number, seed: number) {
  const before = threadTimes(server.pid);
  const own = process.cpuUsage();
  const report = await load({
    address: server.address,
    users: server.users.slice(0, users),
    seconds,
    callsPerSecond: users,
    seed,
  });
  const { user, system } = process.cpuUsage(own);
  const coreTime = sumOfTimes(timesBetween(before, threadTimes(server.pid)));
  return { ...report, coreTime, callerTime: (user + system) / 1000 };
}

/** How many figures of usual size the server has room for. */
async function figuresKept({ address, users }: LoadedServer): Promise<number> {
  const { headers, genes } = users[0]!;
  const client = new ExplorerClient(address, headers);
  let bytes = 0;
  const sample = genes.filter((_, i) => i % Math.ceil(genes.length / 20) === 0);
  for (const gene of sample) bytes += (await client.drawGene(gene)).png.byteLength + figureCache.besides;
  return Math.floor(figureCache.bytes / (bytes / sample.length));
}

function resultsOf({ users, measured, foretold }: Step): Result[] {
  const rows = (
    [
      ['gene plots, median', 'gene plot', 0.5],
      ['gene plots, 95th percentile', 'gene plot', 0.95],
      ['filters, 95th percentile', 'filter', 0.95],
    ] as const
  ).flatMap(([what, kind, share]): Result[] => {
    const ours = quantile(measured.answered[kind], share);
    const told = quantile(foretold.latencies.get(kind) ?? [], share);
    return [
      { quantity: `${users} users: ${what}`, unit: 'ms', ours: [ours] },
      { quantity: '  foretold', unit: 'ms', ours: [told] },
      {
        quantity: '  apart by',
        unit: 'share',
        ours: [Math.abs(told / ours - 1)],
        ...(kind === 'gene plot' && { target: { kind: 'each-at-most', limit: tolerance } as const }),
      },
    ];
  });
  const measuredRate = answeredBy(measured) / secondsOfStep;
  const toldRate = foretold.answered / secondsOfStep;
  return [
    ...rows,
    { quantity: `${users} users: calls answered`, unit: 'calls/s', ours: [measuredRate] },
    { quantity: '  foretold', unit: 'calls/s', ours: [toldRate] },
    {
      quantity: '  apart by',
      unit: 'share',
      ours: [Math.abs(toldRate / measuredRate - 1)],
      target: { kind: 'each-at-most', limit: tolerance },
    },
  ];
}

const answeredBy = ({ answered }: LoadReport): number =>
  Object.values(answered).reduce((sum, { length }) => sum + length, 0);

function costLines(costs: CallCosts): string[] {
  return callClasses.map((of) => {
    const cost = costs[of];
    const part = (name: string, milliseconds: number) => `${name} ${milliseconds.toFixed(2)}`;
    return `${of}: ${coreTime(cost).toFixed(2)} ms of a core (${[
      part('loop', cost.loop),
      part('database', cost.database),
      part('compute', cost.compute),
      part('aside', cost.aside),
    ].join(', ')}), caller ${cost.caller.toFixed(2)}; alone ${quantile(cost.alone, 0.5).toFixed(1)} ms`;
  });
}

function lineOf({ users, measured, foretold }: Step): string {
  const calls = answeredBy(measured);
  const wrong = [...measured.statuses].filter(([status]) => status !== 200);
  const drawn = foretold.classes.get('plot drawn') ?? 0;
  const plots = drawn + (foretold.classes.get('plot kept') ?? 0);
  return [
    `${users} users: ${calls} answers, ${wrong.length === 0 ? 'no error' : `ERRORS ${JSON.stringify(wrong)}`}`,
    `a call took ${(measured.coreTime / calls).toFixed(2)} ms of a core (foretold ${(foretold.coreTime / foretold.answered).toFixed(2)}) and ${(measured.callerTime / calls).toFixed(2)} of the caller's (foretold ${(foretold.callerTime / foretold.answered).toFixed(2)})`,
    `${Math.round((100 * drawn) / plots)} % of the plots drawn anew`,
    `cores busy ${Math.round(100 * (foretold.utilisation.get('server') ?? 0))} % as foretold`,
  ].join('; ');
}
