import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench-context.ts';

export const usage = `npm run bench -- [case…] [options]

  --cells N       number of cells (default: that of each case)
  --genes N       number of genes (default: that of each case)
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

export interface CommandLine {
  readonly cases: readonly string[];
  readonly options: BenchOptions;
  readonly peer: boolean;
  readonly json: string | undefined;
  readonly scratch: string;
  readonly keep: boolean;
  readonly help: boolean;
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
  type Whole = 'cells' | 'genes' | 'gzip' | 'repeat' | 'sets' | 'permutations';
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
