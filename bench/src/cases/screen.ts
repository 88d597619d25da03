import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase, BenchContext } from '../bench-context.ts';
import type { ScreenSize } from '../data/screen.ts';
import { mebibyte, runForJson } from '../measure/child.ts';
import { median, type Result, type Spent, spentResults } from '../measure/result.ts';
import { paths } from '../paths.ts';
import { hasPackages } from '../python-environment.ts';

const defaultSize = { cells: 100_000, genes: 2000, groups: 1000 };
const threads = 2;
/** Sizes beside the whole one, as shares of its cells or of its groups. */
const smaller = [1 / 4, 1 / 2];

interface Tested {
  readonly spent: readonly Spent[];
  readonly peak: number;
  readonly pvals: readonly { readonly group: number; readonly values: readonly number[] }[];
}
type Ours = Readonly<
  Record<'rest' | 'reference' | 'tTest', Tested & { significant: number; tested: number }>
>;
type Peer = Readonly<Record<'rest' | 'reference', Tested & { layout: string }>> & {
  readonly version: string;
};

interface Measured {
  readonly size: ScreenSize;
  readonly ours: Ours;
  readonly peer: Peer | undefined;
}

export const screenCase: BenchCase = {
  name: 'screen',
  title: 'guides of a perturbation screen against all other cells and against the controls; peer: illico',
  async run(context) {
    const { options } = context;
    const whole: ScreenSize = {
      cells: options.cells ?? defaultSize.cells,
      genes: options.genes ?? defaultSize.genes,
      groups: options.groups ?? defaultSize.groups,
      density: options.density,
    };
    const at = (part: 'cells' | 'groups', share: number) => ({
      ...whole,
      [part]: Math.round(share * whole[part]),
    });
    const byCells: Measured[] = [];
    const byGroups: Measured[] = [];
    for (const share of smaller) byCells.push(await measured(context, at('cells', share)));
    for (const share of smaller) byGroups.push(await measured(context, at('groups', share)));
    const all = await measured(context, whole);
    byCells.push(all);
    byGroups.push(all);
    return {
      results: resultsOf(all),
      notes: [
        `${whole.cells} cells × ${whole.genes} genes × ${whole.groups} groups, ${threads} threads; ours reads the file of the matrix in blocks, which the disk cache has, the peer has it in memory`,
        'ours: scores, p-values corrected for ties and adjusted, fold changes, shares and AUC of all genes, and the ten best genes of each group; the peer: scores, p-values, statistics and fold changes as a table, nothing adjusted',
        ...(all.peer
          ? [
              `illico ${all.peer.version}, in the faster layout of its matrix (${all.peer.rest.layout}, ${all.peer.reference.layout}); ${agreement(all)}`,
            ]
          : ['without the peer: no illico']),
        ...(['rest', 'reference'] as const).flatMap((test) => [
          growth(byCells, test, 'cells'),
          growth(byGroups, test, 'groups'),
        ]),
      ],
    };
  },
};

async function measured(
  { options, python, scratch, report }: BenchContext,
  size: ScreenSize,
): Promise<Measured> {
  const { cells, genes, groups, density } = size;
  const folder = join(scratch, 'screens');
  const file = join(folder, `${cells}x${genes}x${groups}-${density}.bin`);
  report(`  ${cells} cells × ${genes} genes × ${groups} groups`);
  await mkdir(folder, { recursive: true });
  if (!existsSync(file)) {
    try {
      await runForJson(process.execPath, [
        paths.screenWrite,
        file,
        ...[cells, genes, groups, density].map(String),
      ]);
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }
  const args = [file, ...[cells, genes, groups, threads, options.repeat ?? 3].map(String)];
  const ours = (await runForJson(process.execPath, [paths.screenOurs, ...args])) as Ours;
  const hasPeer = python !== undefined && hasPackages(python, ['illico']);
  const peer = hasPeer ? ((await runForJson(python, [paths.screenPeer, ...args])) as Peer) : undefined;
  return { size, ours, peer };
}

const titles = {
  rest: 'Wilcoxon, each against all others',
  reference: 'Wilcoxon, each against the controls',
  tTest: 't-test, each against the controls',
} as const;

function resultsOf({ ours, peer }: Measured): Result[] {
  return (['rest', 'reference', 'tTest'] as const).flatMap((test) => {
    const theirs = test === 'tTest' ? undefined : peer?.[test];
    const isFaster = { kind: 'ratio-at-least', limit: 1 } as const;
    const memory: Result = {
      quantity: `${titles[test]}, peak memory`,
      unit: 'MiB',
      ours: [ours[test].peak / mebibyte],
      peer: theirs && [theirs.peak / mebibyte],
      target: { kind: 'each-at-most', limit: 2048 },
    };
    return spentResults(titles[test], ours[test].spent, theirs?.spent, theirs && isFaster).concat(memory);
  });
}

/** Largest difference of p-values, in shares of the larger one. */
function agreement({ ours, peer }: Measured): string {
  const differences = (['rest', 'reference'] as const).map((test) => {
    let [largest, count] = [0, 0];
    for (const { group, values } of ours[test].pvals) {
      const theirs = peer?.[test].pvals.find((one) => one.group === group)?.values;
      theirs?.forEach((p, gene) => {
        count++;
        largest = Math.max(largest, Math.abs(p - values[gene]!) / Math.max(p, values[gene]!, 1e-300));
      });
    }
    return `${largest.toExponential(1)} of ${count} (${ours[test].tested} groups, ${ours[test].significant} adjusted below 0.05)`;
  });
  return `largest relative difference of p-values from it: against all others ${differences[0]}, against the controls ${differences[1]}`;
}

/** Exponent of the growth of processor time, from all sizes, by least squares of the logarithms. */
function growth(sizes: readonly Measured[], test: 'rest' | 'reference', by: 'cells' | 'groups'): string {
  const exponent = (secondsOf: (one: Measured) => readonly Spent[] | undefined) => {
    const points = sizes.flatMap((one) => {
      const spent = secondsOf(one);
      return spent
        ? [[Math.log(one.size[by]), Math.log(median(spent.map(([, processor]) => processor)))] as const]
        : [];
    });
    const [x, y] = [0, 1].map((of) => points.reduce((sum, point) => sum + point[of]! / points.length, 0)) as [
      number,
      number,
    ];
    const across = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
    return across / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  };
  const seconds = sizes.map((one) =>
    median(one.ours[test].spent.map(([, processor]) => processor)).toFixed(2),
  );
  const theirs = exponent((one) => one.peer?.[test].spent);
  return `${titles[test]}: processor time grows by ${by} to the power of ${exponent((one) => one.ours[test].spent).toFixed(2)}${Number.isNaN(theirs) ? '' : ` (peer ${theirs.toFixed(2)})`}: ${seconds.join(', ')} s for ${sizes.map(({ size }) => size[by]).join(', ')}`;
}
