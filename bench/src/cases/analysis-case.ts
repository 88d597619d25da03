import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { runForJson, writeArrays } from '../measure/child.ts';
import { type Result, type Spent, spentResults } from '../measure/result.ts';
import { hasPackages } from '../python-environment.ts';

export interface AnalysisSize {
  cells: number;
  genes: number;
  density: number;
}

/** An analysis of simulated cells in memory, in one thread, beside a peer in a process of its own. */
interface AnalysisRow<Stage extends string, Data, Ours, Peer> {
  name: string;
  title: string;
  /** Default number of genes. */
  genes?: number;
  note: (size: Omit<AnalysisSize, 'cells'>) => string;
  /** Parts that both sides time, in words. */
  stages: Readonly<Record<Stage, string>>;
  /** Cells of a run before those that count: machine code is made at the first call, as that of the peer is. */
  warmUp?: number;
  repeats?: number;
  prepare: (size: AnalysisSize) => Data;
  ours: (data: Data) => Ours;
  peer: {
    program?: 'Rscript';
    packages: readonly string[];
    /** Gets a file of the arrays and the numbers as arguments, and prints a `Peer` as JSON. */
    script: string;
    arrays: (data: Data) => readonly ArrayBufferView[];
    numbers: (data: Data) => readonly number[];
  };
  /** Findings of ours, and largest differences from the peer; undefined if there is nothing to tell. */
  findings: (ours: Ours, peer: Peer | undefined) => string | undefined;
}

/** @param row the peer has the seconds of one run of each stage, or of several */
export function analysisCase<
  Stage extends string,
  Data,
  Ours extends Readonly<Record<Stage, Spent>>,
  Peer extends Readonly<Record<Stage, Spent | readonly Spent[]>>,
>(row: AnalysisRow<Stage, Data, Ours, Peer>): BenchCase {
  const { name, title, stages, warmUp, repeats = 1 } = row;
  const { program: otherProgram, packages, script } = row.peer;
  return {
    name,
    title,
    async run({ options, scratch, python, peer, report }) {
      const size = { genes: options.genes ?? row.genes ?? 0, density: options.density };
      const program = peer ? (otherProgram ?? python) : undefined;
      const hasPeer = program !== undefined && hasPackages(program, packages);
      const results: Result[] = [];
      const notes = [row.note(size) + (hasPeer ? '' : `; without the peer: no ${packages.join(', ')}`)];
      if (warmUp !== undefined) row.ours(row.prepare({ ...size, cells: warmUp }));
      for (const cells of options.cells === undefined ? [3000, 30_000, 100_000] : [options.cells]) {
        report(`  ${cells} cells`);
        const data = row.prepare({ ...size, cells });
        const runs = Array.from({ length: repeats }, () => row.ours(data));
        const file = join(scratch, `${name}-${cells}.bin`);
        let theirs: Peer | undefined;
        if (hasPeer) {
          await writeArrays(file, row.peer.arrays(data));
          theirs = (await runForJson(program, [script, file, ...row.peer.numbers(data).map(String)])) as Peer;
        }
        for (const stage of Object.keys(stages) as Stage[]) {
          const spent = runs.map((run): Spent => run[stage]);
          results.push(
            ...spentResults(`${stages[stage]} of ${cells} cells`, spent, theirs && runsOf(theirs[stage])),
          );
        }
        const findings = row.findings(runs[0]!, theirs);
        if (findings !== undefined) notes.push(`${cells} cells: ${findings}`);
      }
      return { results, notes };
    },
  };
}

function runsOf(spent: Spent | readonly Spent[]): readonly Spent[] {
  return typeof spent[0] === 'number' ? [spent as Spent] : (spent as readonly Spent[]);
}

export function largestDifference(ours: ArrayLike<number>, theirs: readonly number[]): string {
  return theirs
    .reduce((maximum, one, at) => Math.max(maximum, Math.abs(one - ours[at]!)), 0)
    .toExponential(1);
}
