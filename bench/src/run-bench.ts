import { rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchCase, type BenchOptions, openContext } from './bench-context.ts';
import { type CaseResults, resultTable, verdictOf } from './measure/result.ts';
import { PeerUnavailable, peerPython } from './python-environment.ts';

const report = (line: string) => process.stderr.write(`${line}\n`);

/** Runs the cases that the command line names, by default all of them, and prints a table of each. */
export async function runBench(cases: readonly BenchCase[]): Promise<void> {
  try {
    await run(cases);
  } catch (error) {
    if (!(error instanceof WrongOptions)) throw error;
    process.stderr.write(`bench: ${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}

async function run(cases: readonly BenchCase[]): Promise<void> {
  const commandLine = readOptions(
    process.argv.slice(2),
    cases.map(({ name }) => name),
  );
  if (commandLine.help) {
    process.stdout.write(`${usage}\nCases: ${cases.map(({ name }) => name).join(', ')}\n`);
    return;
  }
  const { options, scratch, keep, json } = commandLine;
  await mkdir(scratch, { recursive: true });
  // Servers are stopped by listeners of `exit`.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      if (!keep) rmSync(scratch, { recursive: true, force: true });
      process.exit(130);
    });
  }
  const python = commandLine.peer ? peer() : undefined;
  const context = openContext({ options, scratch, python, peer: commandLine.peer, report });
  const done: CaseResults[] = [];
  try {
    for (const { name, title, run } of cases.filter((one) => commandLine.cases.includes(one.name))) {
      report(`${name}: ${title}`);
      const before = loadavg()[0]!;
      done.push({ name, title, ...(await run(context)), load: [before, loadavg()[0]!] });
    }
  } finally {
    if (!keep) await rm(scratch, { recursive: true, force: true });
    // Also after a failure.
    if (json !== undefined)
      await writeFile(json, `${JSON.stringify({ machine: machine(), cases: done }, null, 2)}\n`);
    process.stdout.write(`\n${done.map(resultTable).join('\n\n')}\n\n${machineText()}\n`);
  }
  const missed = done.flatMap(({ name, results }) =>
    results.filter((one) => verdictOf(one) === 'MISSED').map(({ quantity }) => `${name}: ${quantity}`),
  );
  process.stdout.write(missed.length === 0 ? 'No target missed.\n' : `Missed: ${missed.join('; ')}\n`);
}

function peer(): string | undefined {
  try {
    return peerPython(report);
  } catch (error) {
    if (!(error instanceof PeerUnavailable)) throw error;
    report(`\n!! WITHOUT THE PEER: ${error.message}\n`);
    return undefined;
  }
}

function machine() {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memory: totalmem(),
  };
}

function machineText(): string {
  const { node, cores, processor, memory } = machine();
  return `${cores} cores of ${processor}, ${(memory / 2 ** 30).toFixed(0)} GiB, Node ${node}`;
}

const usage = `npm run bench -- [case…] [options]

  --cells N       number of cells (default: that of each case)
  --genes N       number of genes (default: that of each case)
  --groups N      screen: number of guides, with the controls (default: 1000)
  --density X     share of non-zero values (default: 0.08)
  --gzip LEVEL    compress the generated files, 1 to 9 (default: not compressed)
  --repeat N      number of repetitions (default: that of each case)
  --sets N        ranked-enrichment: number of sets (default: 2000)
  --permutations N  ranked-enrichment: number of permutations (default: 1000)
  --no-peer       do not measure the peer
  --json FILE     write every single measurement to a file
  --scratch DIR   folder for generated files (default: a temporary one)
  --keep          keep the generated files for the next run
  --help
`;

interface CommandLine {
  cases: readonly string[];
  options: BenchOptions;
  peer: boolean;
  json: string | undefined;
  scratch: string;
  keep: boolean;
  help: boolean;
}

export class WrongOptions extends Error {
  override readonly name = 'WrongOptions';
}

/** Throws WrongOptions. */
export function readOptions(args: readonly string[], caseNames: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args);
  const unknown = positionals.filter((name) => !caseNames.includes(name));
  if (unknown.length > 0)
    throw new WrongOptions(`there is no case ${unknown.join(', ')}; the cases are ${caseNames.join(', ')}`);
  type Whole = 'cells' | 'genes' | 'groups' | 'gzip' | 'repeat' | 'sets' | 'permutations';
  const whole = (name: Whole, max = Infinity): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1 || number > max)
      throw new WrongOptions(`--${name} must be a whole number from 1${max < Infinity ? ` to ${max}` : ''}`);
    return number;
  };
  const density = Number(values.density);
  if (!(density > 0 && density <= 0.5)) throw new WrongOptions('--density must be above 0 and at most 0.5');
  return {
    cases: positionals.length > 0 ? positionals : caseNames,
    options: {
      cells: whole('cells'),
      genes: whole('genes'),
      groups: whole('groups', 60_000),
      density,
      gzip: whole('gzip', 9),
      repeat: whole('repeat'),
      sets: whole('sets'),
      permutations: whole('permutations'),
    },
    peer: !values['no-peer'],
    json: values.json,
    scratch: values.scratch ?? join(tmpdir(), 'cellfolio-bench'),
    keep: values.keep,
    help: values.help,
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cells: text,
        genes: text,
        groups: text,
        density: { type: 'string', default: '0.08' },
        gzip: text,
        repeat: text,
        sets: text,
        permutations: text,
        'no-peer': flag,
        json: text,
        scratch: text,
        keep: flag,
        help: flag,
      },
    });
  } catch (cause) {
    throw new WrongOptions(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
