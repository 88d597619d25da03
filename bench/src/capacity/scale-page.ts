import { callClasses } from './call-classes.ts';
import { coreTime } from './measure-costs.ts';
import { assumed, type MeasuredCapacity, mean, needsOf, waitsOf } from './scale-model.ts';
import { quantile } from '../measure/statistics.ts';

/** The tables of docs/scale.md by the names of their places in it. */
export function scaleTables(measured: MeasuredCapacity): ReadonlyMap<string, string> {
  return new Map([
    ['when', `Measured on ${measured.on}: ${measured.machine}.`],
    ['calls', callTable(measured)],
    ['checked', checkedTable(measured)],
    ['other', otherTable(measured)],
    ['replicas', replicasTable(measured)],
    ['assumed', assumedTable()],
    ['needs', needsTable(measured)],
    ['money', moneyTable(measured)],
    ['waits', waitsTable(measured)],
    ['limits', limitsTable(measured)],
  ]);
}

/** The page with its tables made anew: each stands between `<!-- name -->` and `<!-- /name -->`. Throws where one has no place. */
export function withTables(page: string, tables: ReadonlyMap<string, string>): string {
  let text = page;
  for (const [name, table] of tables) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from) throw new Error(`the page has no place for the table ${name}`);
    text = `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
  }
  return text;
}

function callTable({ costs, shares }: MeasuredCapacity): string {
  const rows = callClasses.map((name) => {
    const cost = costs[name];
    const { loop, database, compute, aside, alone } = cost;
    const times = [loop, database, compute, aside, coreTime(cost)].map(two);
    return [name, percent(shares[name])].concat(times, number(quantile(alone, 0.5)));
  });
  const head = [
    'call',
    'share',
    'event loop',
    'database',
    'compute threads',
    'beside',
    'sum',
    'alone, median',
  ];
  return table([head, ...rows]);
}

function checkedTable({ loads }: MeasuredCapacity): string {
  const apart = (told: number, seen: number) =>
    `${told >= seen ? '+' : '−'}${percent(Math.abs(told / seen - 1))}`;
  const rows = loads.map(({ users, measured: seen, foretold: told }) => [
    String(users),
    `${number(seen.median)} / ${number(told.median)}`,
    `${number(seen.p95)} / ${number(told.p95)}`,
    apart(told.p95, seen.p95),
    `${number(seen.callsPerSecond)} / ${number(told.callsPerSecond)}`,
    apart(told.callsPerSecond, seen.callsPerSecond),
  ]);
  return table([
    ['users', 'median, ms', '95th percentile, ms', 'model apart by', 'calls/s', 'model apart by'],
    ...rows,
  ]);
}

function otherTable({ opening, importing, figureBytes, memory }: MeasuredCapacity): string {
  const kilobytes = (bytes: number) => `${number(bytes / 1000)} kB`;
  return table([
    ['measured', 'value'],
    [
      `opening a dataset of ${thousands(Math.round(opening.cells))} cells × ${thousands(opening.genes)} genes`,
      `${number(opening.coreTime)} ms of a core, ${number(opening.index)} more for its index of names, ${number(opening.reads)} reads, ${number(opening.memory / 2 ** 20)} MiB a thread`,
    ],
    [
      `importing ${number(importing.valueCount / 1e6)} million values`,
      `${number(importing.processor)} s of a core, ${number(importing.bytes / importing.valueCount)} bytes a value`,
    ],
    ['a figure', kilobytes(figureBytes)],
    ['the server after these loads', `${number(memory / 2 ** 20)} MiB resident`],
  ]);
}

function replicasTable({ replicas }: MeasuredCapacity): string {
  if (!replicas) return 'Not measured on this machine.';
  const { room, one, two: both } = replicas;
  const figures = table([
    ['', 'one process', 'two'],
    [
      'calls answered a second',
      number(one.callsPerSecond),
      `${number(both.callsPerSecond)} (${two(both.callsPerSecond / one.callsPerSecond)} times one)`,
    ],
    ['a call, of the core of its process, ms', two(one.server), two(both.server)],
    ['a call, of PostgreSQL, ms', two(one.database), two(both.database)],
    ['a call, of the program that calls, ms', two(one.caller), two(both.caller)],
    [
      'calls a second that two whole cores have time for',
      '',
      `${number(2000 / both.server)} (${two((2 * one.server) / both.server)} times one)`,
    ],
  ]);
  return `Measured with ${room}.\n\n${figures}`;
}

function assumedTable(): string {
  const { prices } = assumed;
  return table([
    ['assumed', 'value'],
    ['users', thousands(assumed.users)],
    ['at work in the busiest hour', percent(assumed.activeShare)],
    ['calls of each of them', `${assumed.callsPerMinute} a minute`],
    ['datasets that they have open together', thousands(assumed.datasetsInUse)],
    ['datasets', thousands(assumed.datasets)],
    ['cells of all datasets', thousands(assumed.cells)],
    ['genes of a dataset', thousands(assumed.genes)],
    ['values above zero of a cell', thousands(assumed.valuesPerCell)],
    ['cores of a process', String(assumed.coresPerProcess)],
    ['busy share of its cores in the busiest hour', percent(assumed.load)],
    ['a core for an hour', `€ ${prices.coreHour}`],
    [
      'a gigabyte of disk, of object store for a month',
      `€ ${prices.diskGigabyteMonth}, € ${prices.objectGigabyteMonth}`,
    ],
    ['a million reads, lists of the object store', `€ ${prices.millionGets}, € ${prices.millionLists}`],
    ['a gigabyte to browsers', `€ ${prices.trafficGigabyte}`],
  ]);
}

const cases = [
  ['8 datasets open, calls to any process', 8, false],
  ['8 datasets open, calls routed by dataset', 8, true],
  ['100 datasets open, calls routed by dataset', 100, true],
] as const;

function needsTable(measured: MeasuredCapacity): string {
  const needs = cases.map(([, openDatasets, routed]) =>
    needsOf(measured, { ...assumed, openDatasets }, routed),
  );
  const row = (name: string, of: (one: (typeof needs)[number]) => string) => [name, ...needs.map(of)];
  return table([
    ['', ...cases.map(([name]) => name)],
    row('calls a second in the busiest hour', ({ callsPerSecond }) => number(callsPerSecond)),
    row('a call, of a core of the process', ({ callTime }) => `${two(callTime)} ms`),
    row('calls that find their dataset open', ({ foundOpen }) => percent(foundOpen)),
    row('opening datasets, a call', ({ openingTime }) => `${two(openingTime)} ms`),
    row('processes of two cores', ({ processes }) => String(processes)),
    row('cores of PostgreSQL', ({ databaseCores }) => String(databaseCores)),
    row('memory for open datasets, a process', ({ openMemory }) => `${number(openMemory / 2 ** 20)} MiB`),
    row('object store', ({ stored }) => `${number(stored / 1e12)} TB`),
    row('reads of it a second', ({ getsPerSecond }) => number(getsPerSecond)),
    row('figures to browsers', ({ answerBytesPerSecond }) => `${number(answerBytesPerSecond / 1e6)} MB/s`),
    row('importing it all, once', ({ importCoreHours }) => `${number(importCoreHours)} core hours`),
    row('first catalogue of a new process', ({ firstCatalogue }) => `${number(firstCatalogue)} s of a core`),
  ]);
}

function moneyTable(measured: MeasuredCapacity): string {
  const all = cases.map(
    ([, openDatasets, routed]) => needsOf(measured, { ...assumed, openDatasets }, routed).costs,
  );
  const euros = (value: number) => `€ ${number(value)}`;
  const names = ['cores, on all the time', ...all[0]!.slice(1).map(({ what }) => what)];
  const rows = names.map((name, i) => [name].concat(all.map((costs) => euros(costs[i]!.perMonth))));
  return table([
    ['a month', ...cases.map(([name]) => name)],
    ...rows,
    ['together', ...all.map((costs) => euros(costs.reduce((sum, { perMonth }) => sum + perMonth, 0)))],
  ]);
}

function waitsTable(measured: MeasuredCapacity): string {
  const call = mean(measured, (name) => coreTime(measured.costs[name]));
  const rows = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9].map((share) => {
    const callsPerSecond = (share * 2000) / call;
    const { median, p95, busy } = waitsOf(measured, callsPerSecond);
    return [percent(share), number(callsPerSecond), percent(busy), number(median), number(p95)];
  });
  return table([
    ['asked of two cores', 'calls/s', 'cores busy', 'gene plot, median ms', '95th percentile, ms'],
    ...rows,
  ]);
}

/** Up to where each part holds, everything else as assumed. */
function limitsTable(measured: MeasuredCapacity): string {
  const open = needsOf(measured, { ...assumed, openDatasets: assumed.datasetsInUse });
  const closed = needsOf(measured);
  const usersOf = (callsPerSecond: number) =>
    thousands(Math.round((callsPerSecond * 60) / assumed.callsPerMinute / assumed.activeShare / 100) * 100);
  const limit = (needs: typeof open) =>
    assumed.load * Math.min(needs.processLimit.loop, needs.processLimit.cores);
  return table([
    ['a process of two cores, busy as assumed', 'calls/s', 'users'],
    ['all datasets in use open', number(limit(open)), usersOf(limit(open))],
    ['8 of 500 datasets open', number(limit(closed)), usersOf(limit(closed))],
    [
      'its event loop alone, all open',
      number(assumed.load * open.processLimit.loop),
      usersOf(assumed.load * open.processLimit.loop),
    ],
  ]);
}

/** Markdown, its columns as wide as prettier makes them. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)].join('\n');
}

/** Two or three significant digits. */
function number(value: number): string {
  if (value >= 1000) return thousands(Number(value.toPrecision(3)));
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const two = (value: number): string => value.toFixed(2);
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const thousands = (value: number): string => value.toLocaleString('en');
