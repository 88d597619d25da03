import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IntegrationMethod } from '@cellfolio/model';
import type { BenchCase } from '../bench-context.ts';
import { normalOf, SeededBits } from '../data/seeded-bits.ts';
import { mebibyte, runForJson, writeArrays } from '../measure/child.ts';
import { type Result, runResults } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { hasPackages } from '../python-environment.ts';

const components = 50;
const batchCount = 8;
const typeCount = 12;
/** For both sides: as many threads as the peer's matrix library uses. */
const threads = 2;

interface IntegrationRun {
  seconds: number;
  processor: number;
  peak: number;
}

const peers: Readonly<Record<IntegrationMethod, string>> = { harmony: 'harmonypy', mnn: 'scranpy' };

export const integrationCase: BenchCase = {
  name: 'integration',
  title: 'integration of 10,000 and 100,000 cells of 8 batches; peers: harmonypy and scranpy, warm',
  async run({ options, scratch, python, report }) {
    const results: Result[] = [];
    const notes = [`${typeCount} types in ${components} components; processor time is of all threads`];
    const peer = python && hasPackages(python, Object.values(peers)) ? python : undefined;
    if (peer === undefined) notes.push('without peers: CELLFOLIO_BENCH_PYTHON lacks harmonypy or scranpy');
    for (const cells of options.cells === undefined ? [10_000, 100_000] : [options.cells]) {
      report(`  ${cells} cells`);
      const { points, batches, types } = shifted(cells);
      const file = (name: string) => join(scratch, `integration-${cells}-${name}.bin`);
      await writeArrays(file('points'), [points]);
      await writeArrays(file('batches'), [batches]);
      const quality = async (name: string) => batchSpread(await numbers(file(name)), batches, types);
      for (const [method, peerName] of Object.entries(peers)) {
        const ours: IntegrationRun[] = [];
        const theirs: IntegrationRun[] = [];
        const inputs = [file('points'), file('batches'), `${components}`];
        for (let run = 0; run < (options.repeat ?? 3); run++) {
          const args = [...inputs, `${batchCount}`, `${threads}`, file('ours')];
          ours.push(
            (await runForJson(process.execPath, [paths.integrateOnce, method, ...args])) as IntegrationRun,
          );
          if (peer === undefined) continue;
          const peerArgs = [paths.integrationPeer, method, ...inputs, `${threads}`, file('peer')];
          theirs.push((await runForJson(peer, peerArgs)) as IntegrationRun);
        }
        const of = `${method}, ${cells} cells`;
        const result = runResults(ours, theirs);
        results.push(
          result(`time, ${of}`, 's', ({ seconds }) => seconds),
          result(`processor time, ${of}`, 's', ({ processor }) => processor),
          result(`peak memory, ${of}`, 'MiB', ({ peak }) => peak / mebibyte),
        );
        notes.push(
          `${method}, ${cells} cells: batches of a type lie ${batchSpread(points, batches, types)} of a type's own spread apart before, ours ${await quality('ours')}${peer === undefined ? '' : `, ${peerName} ${await quality('peer')}`} after`,
        );
      }
    }
    return { results, notes };
  },
};

async function numbers(path: string): Promise<Float64Array> {
  return new Float64Array(Uint8Array.from(await readFile(path)).buffer);
}

/** Each batch shifts each type by its own vector, in addition to one shared by all types. */
function shifted(cells: number) {
  const bits = new SeededBits(44);
  const draw = new Uint32Array(2 * components);
  const normals = () => {
    bits.drawInto(draw);
    return Float64Array.from({ length: components }, (_, at) => normalOf(draw, at));
  };
  const vectors = (count: number) => Array.from({ length: count }, normals);
  const [centres, shifts, own] = [vectors(typeCount), vectors(batchCount), vectors(typeCount * batchCount)];
  const points = new Float64Array(cells * components);
  const batches = new Int32Array(cells);
  const types = new Int32Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    const type = (types[cell] = Math.floor(cell / batchCount) % typeCount);
    const batch = (batches[cell] = cell % batchCount);
    const noise = normals();
    for (let at = 0; at < components; at++) {
      // Later components hold less, as of real cells.
      const scale = 4 / Math.sqrt(1 + at / 4);
      const place =
        2 * centres[type]![at]! + shifts[batch]![at]! + 0.4 * own[type * batchCount + batch]![at]!;
      points[cell * components + at] = scale * place + noise[at]!;
    }
  }
  return { points, batches, types };
}

/**
 * Root mean square distance of a type's batch means from its overall mean, divided by that of its cells from their
 * batch means.
 */
function batchSpread(points: Float64Array, batches: Int32Array, types: Int32Array): string {
  const means = new Float64Array(typeCount * batchCount * components);
  const sizes = new Float64Array(typeCount * batchCount);
  const groupOf = (cell: number) => types[cell]! * batchCount + batches[cell]!;
  for (let cell = 0; cell < types.length; cell++) {
    sizes[groupOf(cell)]! += 1;
    for (let at = 0; at < components; at++)
      means[groupOf(cell) * components + at]! += points[cell * components + at]!;
  }
  means.forEach((sum, at) => (means[at] = sum / sizes[Math.floor(at / components)]!));
  let within = 0;
  for (let cell = 0; cell < types.length; cell++)
    for (let at = 0; at < components; at++)
      within += (points[cell * components + at]! - means[groupOf(cell) * components + at]!) ** 2;
  let between = 0;
  for (let type = 0; type < typeCount; type++) {
    for (let at = 0; at < components; at++) {
      const of = (batch: number) => means[(type * batchCount + batch) * components + at]!;
      const mean =
        Array.from({ length: batchCount }, (_, batch) => of(batch)).reduce((a, b) => a + b) / batchCount;
      for (let batch = 0; batch < batchCount; batch++)
        between += sizes[type * batchCount + batch]! * (of(batch) - mean) ** 2;
    }
  }
  return Math.sqrt(between / within).toFixed(3);
}
