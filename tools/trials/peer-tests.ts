import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CountBlock } from '@cellfolio/model';
import type { BenchContext } from '../../bench/src/bench-context.ts';
import { runForJson } from '../../bench/src/measure/child.ts';
import { simulatedDonors } from './simulated-donors.ts';
import { simulatedNeighbourhood } from './simulated-neighbourhood.ts';
import { simulatedRanking } from './simulated-ranking.ts';
import type { TestedSet } from './test-families.ts';

const besideThis = (name: string) => join(import.meta.dirname, name);

interface PeerTest {
  readonly pValues: readonly (number | null)[];
  readonly adjusted: readonly (number | null)[];
}

/** The sets of seeds from 1 on by limma and edgeR in R and by what the peer's Python has: those without effect, and those with one. */
export async function peerSets(
  { scratch, python, peer, report }: BenchContext,
  count: number,
): Promise<readonly (readonly [TestedSet[], TestedSet[]])[]> {
  const folder = join(scratch, 'null-rates');
  await mkdir(folder, { recursive: true });
  const donors = await Promise.all(setsOf(count).map((one) => writeDonors(folder, one)));
  const cells = await Promise.all(setsOf(count).map((one) => writeNeighbourhood(folder, one)));
  const rankings = await Promise.all(setsOf(count).map((one) => writeRanking(folder, one)));
  const hasR =
    peer &&
    spawnSync('Rscript', ['-e', 'library(edgeR); library(jsonlite)'], { stdio: 'ignore' }).status === 0;
  const runs = [
    ...(hasR ? [{ program: 'Rscript', script: besideThis('null_rates_peer.R'), sets: donors }] : []),
    ...(python
      ? [donors, cells, rankings].map((sets) => ({ program: python, script: besideThis('null_rates_peer.py'), sets }))
      : []),
  ];
  const found: [TestedSet[], TestedSet[]][] = [];
  for (const { program, script, sets } of runs) {
    report(`  ${script}`);
    const names = sets.map(({ name }) => name);
    const answers = (await runForJson(program, [script, folder, ...names])) as Record<string, PeerTest>[];
    const all = answers.map((tests, at): TestedSet => ({
      changed: sets[at]!.changed,
      tests: new Map(Object.entries(tests).map(([name, test]) => [`${name}, reference`, numbersOf(test)])),
    }));
    found.push([all.slice(0, count), all.slice(count)]);
  }
  return found;
}

interface PeerSet {
  readonly name: string;
  readonly changed: readonly boolean[];
}

interface ChosenSet {
  readonly seed: number;
  readonly withEffect: boolean;
}

/** Sets without an effect come first. */
function setsOf(count: number): ChosenSet[] {
  return [false, true].flatMap((withEffect) =>
    Array.from({ length: count }, (_, at) => ({ seed: at + 1, withEffect })),
  );
}

async function writeDonors(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { counts, donors, effects, perSide } = simulatedDonors(seed, withEffect);
  const name = `donors-${seed}-${withEffect}`;
  await writeCounts(join(folder, name), counts, Int32Array.from(donors), 2 * perSide);
  return { name, changed: Array.from(effects, (effect) => effect !== 0) };
}

async function writeNeighbourhood(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { counts, points, changed } = simulatedNeighbourhood(seed, withEffect);
  const name = `cells-${seed}-${withEffect}`;
  await writeCounts(join(folder, name), counts, new Int32Array(counts.cellCount), 1);
  await writeFile(join(folder, `${name}.points`), new Uint8Array(points.buffer));
  return { name, changed };
}

async function writeRanking(folder: string, { seed, withEffect }: ChosenSet): Promise<PeerSet> {
  const { metric, sets, changed } = simulatedRanking(seed, withEffect);
  const name = `ranking-${seed}-${withEffect}`;
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ seed, metric: Array.from(metric), sets }));
  return { name, changed };
}

async function writeCounts(
  file: string,
  { starts, cells, values, cellCount }: CountBlock,
  samples: Int32Array,
  sampleCount: number,
): Promise<void> {
  const size = [starts.length - 1, cellCount, cells.length, sampleCount];
  const parts = [size, starts, cells, values, samples].map((part) => Int32Array.from(part));
  await writeFile(`${file}.counts`, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
}

function numbersOf({ pValues, adjusted }: PeerTest) {
  const numbers = (values: readonly (number | null)[]) =>
    Float64Array.from(values, (value) => value ?? Number.NaN);
  return { pValues: numbers(pValues), adjusted: numbers(adjusted) };
}
