import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { callClasses, KeptResults } from '../capacity/call-classes.ts';
import { type CallCosts, coreTime, measureCosts, underLoad } from '../capacity/measure-costs.ts';
import { measureDatasets } from '../capacity/measure-datasets.ts';
import type { LoadFigures, MeasuredCapacity } from '../capacity/scale-model.ts';
import { type Foretold, foretellLoad, type ForetoldLoad } from '../capacity/foretell-load.ts';
import type { Result } from '../measure/result.ts';
import { processMemory } from '../measure/process-memory.ts';
import { quantile } from '../measure/statistics.ts';
import { sumOfTimes, type ThreadTimes, threadTimes, timesBetween } from '../measure/thread-times.ts';
import { load, type LoadReport } from '../server/load-users.ts';
import { type LoadedServer, startLoadedServer } from '../server/loaded-server.ts';
import { ExplorerClient } from '../server/explorer-client.ts';

interface Planned {
  readonly users: number;
  readonly seconds: number;
  readonly seed: number;
}

const warmUp: Planned = { users: 30, seconds: 30, seed: 1 };
/** What calls take more under load is seen here, and held to loads of other sizes. */
const trial: Planned = { users: 40, seconds: 40, seed: 500 };
const steps = [20, 50, 100, 200];
/** The step whose calls the shares of the classes are taken from. */
const usualUsers = 100;
/** `--repeat` is another number of them. */
const secondsOfStep = 60;
/** As the settings of the server have it, with its allowance for what goes with a figure. */
const figureCache = { bytes: 64 * 2 ** 20, besides: 8 * 2 ** 10 };
/** How far the model may be from what is measured. */
const tolerance = 0.25;

interface Step {
  readonly users: number;
  readonly measured: LoadReport & {
    readonly times: ThreadTimes;
    readonly callerTime: number;
    readonly drawn: number;
  };
  readonly foretold: Foretold;
}

/** What calls cost one at a time, and whether a model fed by that foretells what many users at once will see. */
export const capacityCase: BenchCase = {
  name: 'capacity',
  title: 'what calls cost, and loads of one server as foretold and as measured',
  async run(context) {
    const seconds = context.options.repeat ?? secondsOfStep;
    // Above a small part of the cores: others worked on them, and every time is longer than it would be.
    const busy = loadavg()[0]!;
    const server = await startLoadedServer(context, { name: 'capacity', users: Math.max(...steps) });
    try {
      const cores = availableParallelism();
      const computeThreads = Math.min(4, cores);
      const figureBytes = await figureSize(server);
      const kept = new KeptResults(Math.floor(figureCache.bytes / (figureBytes + figureCache.besides)));
      const foretell = (
        load: Pick<ForetoldLoad, 'users' | 'beginnings' | 'seconds' | 'seed' | 'costs' | 'caller'>,
      ) => foretellLoad({ ...load, cores, computeThreads, kept });
      context.report('capacity: warming up');
      const warm = await loadOf(server, warmUp.users, warmUp.seconds, warmUp.seed);
      context.report('capacity: one call at a time');
      const alone = await measureCosts({
        address: server.address,
        pid: server.pid,
        database: 'embedded',
        users: server.users.slice(0, server.datasets.length),
      });
      const tell = (
        costs: CallCosts,
        caller: number,
        { users, seconds: long, seed }: Planned,
        { beginnings }: LoadReport,
      ) => foretell({ costs, caller, users: server.users.slice(0, users), beginnings, seconds: long, seed });
      tell(alone, warm.callerTime / answeredBy(warm), warmUp, warm);
      context.report('capacity: what they take more under load');
      const tried = await loadOf(server, trial.users, trial.seconds, trial.seed);
      const caller = tried.callerTime / answeredBy(tried);
      const costs = underLoad(alone, tried.times, tell(alone, caller, trial, tried).times);
      const done: Step[] = [];
      for (const [i, users] of steps.entries()) {
        context.report(`capacity: ${users} users for ${seconds} s`);
        const seed = 1000 * (i + 1);
        const measured = await loadOf(server, users, seconds, seed);
        done.push({
          users,
          measured,
          foretold: tell(costs, caller, { users, seconds, seed }, measured),
        });
      }
      const memory = processMemory(server.pid).resident;
      const datasets = await measureDatasets(server.datasets, join(context.scratch, 'capacity-datasets'));
      const file = join(context.scratch, 'capacity.json');
      await writeFile(
        file,
        JSON.stringify({
          on: new Date().toISOString().slice(0, 10),
          machine: machineText(busy),
          costs,
          figureBytes,
          memory,
          ...datasets,
          shares: sharesOf(done.find(({ users }) => users === usualUsers)!.foretold),
          loads: done.map((step) => figuresOf(step, seconds)),
        } satisfies MeasuredCapacity),
      );
      return {
        results: done.flatMap((step) => resultsOf(step, seconds)),
        notes: [
          `datasets of ${server.datasets.map(({ size: { cells, genes } }) => `${cells} × ${genes}`).join(', ')}; callers, server and embedded database on the same ${cores} cores`,
          ...costLines(alone),
          `under load they took more: ${factorsText(alone, costs)}`,
          `a call took ${caller.toFixed(2)} ms of a core of the program that calls`,
          ...done.map(lineOf),
          `written to ${file}, for write-scale.ts`,
        ],
      };
    } finally {
      await server.remove();
    }
  },
};

async function loadOf(server: LoadedServer, users: number, seconds: number, seed: number) {
  const drawnBefore = await server.figuresDrawn();
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
  const times = timesBetween(before, threadTimes(server.pid));
  const drawn = (await server.figuresDrawn()) - drawnBefore;
  return { ...report, times, drawn, callerTime: (user + system) / 1000 };
}

/** Bytes of a figure, of genes from the often to the seldom expressed. */
async function figureSize({ address, users }: LoadedServer): Promise<number> {
  const { headers, genes } = users[0]!;
  const client = new ExplorerClient(address, headers);
  const sample = genes.filter((_, i) => i % Math.ceil(genes.length / 20) === 0);
  let bytes = 0;
  for (const gene of sample) bytes += (await client.drawGene(gene)).png.byteLength;
  return bytes / sample.length;
}

function sharesOf({ classes }: Foretold): MeasuredCapacity['shares'] {
  const calls = [...classes.values()].reduce((sum, one) => sum + one, 0);
  return Object.fromEntries(
    callClasses.map((name) => [name, (classes.get(name) ?? 0) / calls]),
  ) as MeasuredCapacity['shares'];
}

function figuresOf({ users, measured, foretold }: Step, seconds: number): MeasuredCapacity['loads'][number] {
  const figures = (plots: readonly number[], answered: number): LoadFigures => ({
    median: quantile(plots, 0.5),
    p95: quantile(plots, 0.95),
    callsPerSecond: answered / seconds,
  });
  return {
    users,
    measured: figures(measured.answered['gene plot'], answeredBy(measured)),
    foretold: figures(foretold.latencies.get('gene plot') ?? [], foretold.answered),
  };
}

const machineText = (busy: number): string =>
  `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load average before ${busy.toFixed(1)}`;

function resultsOf({ users, measured, foretold }: Step, seconds: number): Result[] {
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
  const measuredRate = answeredBy(measured) / seconds;
  const toldRate = foretold.answered / seconds;
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
    ].join(', ')}); alone ${quantile(cost.alone, 0.5).toFixed(1)} ms`;
  });
}

function factorsText(alone: CallCosts, costs: CallCosts): string {
  const parts = ['loop', 'database', 'compute', 'aside'] as const;
  // A call that takes all of them.
  const name = 'filter built';
  return parts.map((part) => `${part} × ${(costs[name][part] / alone[name][part]).toFixed(2)}`).join(', ');
}

function lineOf({ users, measured, foretold }: Step): string {
  const calls = answeredBy(measured);
  const wrong = [...measured.statuses].filter(([status]) => status !== 200);
  const drawn = foretold.classes.get('plot drawn') ?? 0;
  const plots = drawn + (foretold.classes.get('plot kept') ?? 0);
  return [
    `${users} users: ${calls} answers, ${wrong.length === 0 ? 'no error' : `ERRORS ${JSON.stringify(wrong)}`}`,
    `a call took ${(sumOfTimes(measured.times) / calls).toFixed(2)} ms of a core (foretold ${(sumOfTimes(foretold.times) / foretold.answered).toFixed(2)}) and ${(measured.callerTime / calls).toFixed(2)} of the caller's`,
    `${Math.round((100 * measured.drawn) / measured.answered['gene plot'].length)} % of the plots drawn anew (foretold ${Math.round((100 * drawn) / plots)} %)`,
    `cores busy ${Math.round(100 * (foretold.utilisation.get('server') ?? 0))} % as foretold`,
  ].join('; ');
}
