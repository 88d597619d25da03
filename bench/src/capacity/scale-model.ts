import { type CallClass, callClasses } from './call-classes.ts';
import { admittedBy, stagesOf } from './foretell-load.ts';
import { type CallCosts, coreTime } from './measure-costs.ts';
import { quantile } from '../measure/statistics.ts';
import { simulateLoad, type SimulatedSystem, type Stage } from './simulate-load.ts';

/** What was measured, as the case `capacity` writes it down. */
export interface MeasuredCapacity {
  /** ISO date. */
  readonly on: string;
  /** Its cores, and how busy they were with other things. */
  readonly machine: string;
  readonly costs: CallCosts;
  /** Of all calls of the load of 100 users, what each class is. */
  readonly shares: Readonly<Record<CallClass, number>>;
  /** One api process on PostgreSQL, and two, as the case `replicas` has it. */
  readonly replicas?: ReplicaFigures;
  readonly loads: readonly {
    readonly users: number;
    readonly measured: LoadFigures;
    readonly foretold: LoadFigures;
  }[];
  readonly figureBytes: number;
  readonly opening: {
    /** Milliseconds of a core, and those of the index of gene names, which only the event loop has. */
    readonly coreTime: number;
    readonly index: number;
    readonly reads: number;
    /** Bytes in memory of a thread that has a dataset open, of so many cells and genes. */
    readonly memory: number;
    readonly cells: number;
    readonly genes: number;
  };
  /** Of one import: seconds of a core, bytes stored (counts are not), values of the matrix. */
  readonly importing: { readonly processor: number; readonly bytes: number; readonly valueCount: number };
  /** Resident bytes of the server after the loads. */
  readonly memory: number;
}

/** Calls as fast as they are answered: how many a second, and milliseconds of a core for each. */
export interface ServedFigures {
  readonly callsPerSecond: number;
  readonly server: number;
  readonly database: number;
  readonly caller: number;
}

/** One process and two. */
export interface ReplicaFigures {
  /** What they had of the machine, in words. */
  readonly room: string;
  readonly one: ServedFigures;
  readonly two: ServedFigures;
}

export interface LoadFigures {
  readonly median: number;
  readonly p95: number;
  readonly callsPerSecond: number;
}

/** What nobody can measure beforehand. Change it here; the page is written from it. */
export const assumed = {
  users: 10_000,
  /** Of all users, how many work in the busiest hour. */
  activeShare: 0.1,
  /** Calls of a user who works, a minute. */
  callsPerMinute: 6,
  /** Datasets that those users look at together, and how many a user opens in a working hour. */
  datasetsInUse: 500,
  datasets: 10_000,
  cells: 100_000_000,
  genes: 30_000,
  /** Values above zero of a cell. */
  valuesPerCell: 2000,
  /** Share of their time that cores work at the busiest hour; more, and bursts queue. */
  load: 0.6,
  coresPerProcess: 2,
  openDatasets: 8,
  /** Prices in euros, of a large public cloud on demand, rounded, as assumed in November 2026. */
  prices: {
    coreHour: 0.05,
    diskGigabyteMonth: 0.1,
    objectGigabyteMonth: 0.025,
    millionGets: 0.4,
    millionLists: 5,
    trafficGigabyte: 0.09,
  },
} as const;

export type Assumed = typeof assumed;

const hoursOfMonth = 730;
/** The busiest hour against the mean of a month: most nights and weekends are quiet. */
const meanOfPeak = 0.25;

export interface Needs {
  readonly callsPerSecond: number;
  /** Milliseconds of a core for a call: of the process that serves, with its dataset open. */
  readonly callTime: number;
  /** Of which the event loop, one call after the other. */
  readonly loopTime: number;
  /** Milliseconds of a core, spread over all calls, for opening datasets that were not open. */
  readonly openingTime: number;
  /** Share of the calls that find their dataset open. */
  readonly foundOpen: number;
  readonly processes: number;
  /** What a process answers at most: its loop, or its cores, have no time left. */
  readonly processLimit: { readonly loop: number; readonly cores: number };
  readonly databaseCores: number;
  /** Bytes. */
  readonly stored: number;
  readonly openMemory: number;
  readonly getsPerSecond: number;
  readonly importCoreHours: number;
  /** Seconds of a core until the first page of the catalogue of a new process, which opens every dataset. */
  readonly firstCatalogue: number;
  readonly answerBytesPerSecond: number;
  readonly costs: readonly { readonly what: string; readonly perMonth: number }[];
}

/** Milliseconds of each call, by the shares of the classes. */
export function mean(measured: MeasuredCapacity, of: (name: CallClass) => number): number {
  return callClasses.reduce((sum, name) => sum + measured.shares[name] * of(name), 0);
}

/** What so many users, datasets and cells need. `routed`: calls for a dataset go to the process that has it open. */
export function needsOf(
  measured: MeasuredCapacity,
  given: { [Name in keyof Assumed]: Name extends 'prices' ? Assumed['prices'] : number } = assumed,
  routed = false,
): Needs {
  const { costs, opening, importing } = measured;
  const callsPerSecond = (given.users * given.activeShare * given.callsPerMinute) / 60;
  const callTime = mean(measured, (name) => coreTime(costs[name]) - costs[name].database);
  const loopTime = mean(measured, (name) => costs[name].loop);
  const computing = mean(measured, (name) => (costs[name].compute > 0 ? 1 : 0));
  const size = given.genes / opening.genes;
  // The event loop opens what it looks names up in, and the thread that computes what it reads.
  const openingInLoop = (found: number) => (1 - found) * (opening.coreTime + opening.index) * size;
  const opensOf = (found: number) => openingInLoop(found) + (1 - found) * computing * opening.coreTime * size;
  let processes = 1;
  let foundOpen = 1;
  // More processes find more datasets open where calls are routed to them, so that fewer are needed: try upwards.
  for (; processes < 10_000; processes++) {
    foundOpen = Math.min(1, (given.openDatasets * (routed ? processes : 1)) / given.datasetsInUse);
    const cores = (callsPerSecond / 1000) * (callTime + opensOf(foundOpen));
    const loops = (callsPerSecond / 1000) * (loopTime + openingInLoop(foundOpen));
    if (Math.max(cores / given.coresPerProcess, loops) <= given.load * processes) break;
  }
  const openingTime = opensOf(foundOpen);
  const databaseTime = measured.replicas?.one.database ?? mean(measured, (name) => costs[name].database);
  const databaseCores = Math.max(1, Math.ceil((callsPerSecond * databaseTime) / 1000 / given.load));
  const bytesPerValue = importing.bytes / importing.valueCount;
  // Expression twice: log-normalised, and the counts it was made of.
  const stored = 2 * given.cells * given.valuesPerCell * bytesPerValue;
  const drawn = measured.shares['plot drawn'];
  // Two ranges a gene; what is opened is read as well.
  const getsPerSecond = callsPerSecond * (2 * drawn + (1 - foundOpen) * opening.reads);
  const plots = drawn + measured.shares['plot kept'];
  const answerBytesPerSecond = callsPerSecond * plots * measured.figureBytes * (4 / 3);
  const cores = processes * given.coresPerProcess + databaseCores;
  const monthly = 3600 * hoursOfMonth * meanOfPeak;
  const { prices } = given;
  return {
    callsPerSecond,
    callTime,
    loopTime,
    openingTime,
    foundOpen,
    processes,
    processLimit: {
      loop: 1000 / (loopTime + openingInLoop(foundOpen)),
      cores: (1000 * given.coresPerProcess) / (callTime + openingTime),
    },
    databaseCores,
    stored,
    openMemory: given.openDatasets * 3 * opening.memory * size,
    getsPerSecond,
    importCoreHours:
      ((given.cells * given.valuesPerCell) / importing.valueCount) * (importing.processor / 3600),
    firstCatalogue: (given.datasets * opening.coreTime * size) / 1000,
    answerBytesPerSecond,
    costs: [
      { what: `${cores} cores, on all the time`, perMonth: cores * hoursOfMonth * prices.coreHour },
      { what: 'object store', perMonth: (stored / 1e9) * prices.objectGigabyteMonth },
      {
        what: 'disks for the caches of the processes, 20 GB each, and 50 GB of database',
        perMonth: (processes * 20 + 50) * prices.diskGigabyteMonth,
      },
      { what: 'reads of the object store', perMonth: ((getsPerSecond * monthly) / 1e6) * prices.millionGets },
      {
        what: 'lists of the catalogue, every two seconds by each process',
        perMonth:
          ((processes * Math.ceil(given.datasets / 1000) * 3600 * hoursOfMonth) / 2 / 1e6) *
          prices.millionLists,
      },
      {
        what: 'figures to browsers',
        perMonth: ((answerBytesPerSecond * monthly) / 1e9) * prices.trafficGigabyte,
      },
    ],
  };
}

/** Milliseconds that plots take where users call at random moments, at shares of what a machine of two cores can do. */
export function waitsOf(
  measured: MeasuredCapacity,
  callsPerSecond: number,
  { cores = 2, seconds = 120 } = {},
): { readonly median: number; readonly p95: number; readonly busy: number } {
  const system: SimulatedSystem = {
    machines: [{ name: 'server', cores }],
    stations: [
      { name: 'caller', machine: 'server', threads: 1 },
      { name: 'loop', machine: 'server', threads: 1 },
      { name: 'database', machine: 'server', threads: 1 },
      { name: 'compute', machine: 'server', threads: cores },
    ],
    admitted: admittedBy(cores),
  };
  // The callers have machines of their own, and work on none of the cores here.
  const stages = (name: CallClass, at: number): readonly Stage[] =>
    stagesOf(name, measured.costs[name], { at, machine: 'server', caller: 0, computeThreads: cores });
  let made = 0;
  const { latencies, utilisation } = simulateLoad({
    system,
    callers: {
      kind: 'random',
      callsPerSecond,
      call: (random) => {
        const name = classAt(measured.shares, random());
        return { name: name.startsWith('plot') ? 'plot' : 'other', stages: stages(name, made++) };
      },
    },
    seconds,
    seed: 11,
  });
  const plots = latencies.get('plot') ?? [];
  return { median: quantile(plots, 0.5), p95: quantile(plots, 0.95), busy: utilisation.get('server') ?? 0 };
}

function classAt(shares: MeasuredCapacity['shares'], point: number): CallClass {
  let sum = 0;
  for (const name of callClasses) {
    sum += shares[name];
    if (point < sum) return name;
  }
  return 'search';
}
