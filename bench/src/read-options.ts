import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench-context.ts';

export const usage = `npm run bench -- [case…] [options]

  --cells N       cells instead of the usual number of each case
  --genes N       genes instead of the usual number
  --density X     share of non-zero values (0.08)
  --gzip LEVEL    deflate the generated files, 1 to 9 (not compressed)
  --repeat N      repetitions instead of the usual number
  --no-peer       leave the peer out
  --json FILE     write every single measurement there
  --scratch DIR   where generated files go (a folder of the system's temporary one)
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

/** The command line was not understood; the message is for its user. */
export class WrongOptions extends Error {
  readonly tag = 'WrongOptions';

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WrongOptions';
  }
}

/** Throws WrongOptions. */
export function readOptions(args: readonly string[], known: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new WrongOptions(`there is no case ${unknown.join(', ')}; the cases are ${known.join(', ')}`);
  const whole = (name: 'cells' | 'genes' | 'gzip' | 'repeat', most = Infinity): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw new WrongOptions(
        `--${name} must be a whole number from 1${most < Infinity ? ` to ${most}` : ''}`,
      );
    return number;
  };
  const density = Number(values.density);
  if (!(density > 0 && density <= 0.5)) throw new WrongOptions('--density must be above 0 and at most 0.5');
  return {
    cases: positionals.length > 0 ? positionals : known,
    options: {
      cells: whole('cells'),
      genes: whole('genes'),
      density,
      gzip: whole('gzip', 9),
      repeat: whole('repeat'),
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
