import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { type Method, methods, type Tested } from './methods.ts';
import { type Panel, sharesFigure } from './shares-figure.ts';
import {
  type DonorsDesign,
  simulatedDonors,
  type SimulatedDonors,
} from './simulated-donors.ts';
import { median, type Result } from '../../bench/src/measure/result.ts';
import { paths } from '../../bench/src/paths.ts';

const seeds = 100;
const rate = 0.05;

interface MethodFindings {
  readonly method: Method;
  /**
   * Without effects: share of the tested unaffected genes with a p-value below 0.05; and number of genes called at 5 %
   * FDR.
   */
  readonly falsePositives: number[];
  readonly calledWithout: number[];
  /** With effects: share of unaffected genes among those called; and share of changed genes that were called. */
  readonly falseDiscoveries: number[];
  readonly power: number[];
}

export const falseDiscoveriesCase: BenchCase = {
  name: 'false-discoveries',
  title: 'eight simulated donors, four a condition: tests of cells and of sums, with and without effect',
  async run({ options, report }) {
    const count = options.repeat ?? seeds;
    const findings = methods.map((method): MethodFindings => ({
      method,
      falsePositives: [],
      calledWithout: [],
      falseDiscoveries: [],
      power: [],
    }));
    for (let seed = 1; seed <= count; seed++) {
      const [none, some] = [simulatedDonors(seed, false), simulatedDonors(seed, true)];
      for (const one of findings) {
        const without = one.method.test(none);
        one.falsePositives.push(shareBelow(without));
        one.calledWithout.push(called(without).length);
        const genes = called(one.method.test(some));
        const right = genes.filter((gene) => some.effects[gene] !== 0).length;
        one.falseDiscoveries.push(falseShareOf(genes, some));
        one.power.push(right / some.effects.filter((effect) => effect !== 0).length);
      }
      if (seed % 10 === 0) report(`  ${seed} of ${count} seeds`);
    }
    const notes = findings.map(({ method, falseDiscoveries, falsePositives, calledWithout }) => {
      const any = calledWithout.filter((genes) => genes > 0).length;
      return (
        `${method.name}: mean false positives ${percent(mean(falsePositives))}, mean false discoveries ` +
        `${percent(mean(falseDiscoveries))}; without effect, genes called: median ${median(calledWithout)}, ` +
        `most ${Math.max(...calledWithout)}, any in ${any} of ${count} sets`
      );
    });
    if (count === seeds) {
      const file = join(paths.root, 'docs/false-discoveries.svg');
      await writeFile(file, figureOf(findings));
      notes.push(`figure: ${file}`);
    }
    return { results: findings.flatMap(resultsOf), notes };
  },
};

const designs: readonly DonorsDesign[] = [
  ...[2, 3, 4, 5, 6, 8, 12].map((perSide) => ({ perSide, isPaired: false })),
  ...[3, 4, 6, 8].map((perSide) => ({ perSide, isPaired: true })),
];

export const discoveryRatesCase: BenchCase = {
  name: 'discovery-rates',
  title:
    'simulated donors of several designs, a tenth of the genes changed: false discoveries of tests of sums',
  run({ options, report }) {
    const count = options.repeat ?? seeds;
    const tests = methods.filter(({ ofCells }) => !ofCells);
    const results = designs.flatMap((design) => {
      const words = `${design.perSide} ${design.isPaired ? 'pairs' : `against ${design.perSide}`}`;
      const shares = tests.map((): number[] => []);
      for (let seed = 1; seed <= count; seed++) {
        const set = simulatedDonors(seed, true, design);
        tests.forEach((method, at) => shares[at]!.push(falseShareOf(called(method.test(set)), set)));
      }
      report(`  ${words}: ${shares.map((own) => percent(mean(own))).join(', ')}`);
      return tests.map(({ name }, at): Result => ({
        quantity: `${words}, ${name}: mean false discoveries`,
        unit: 'share',
        ours: [mean(shares[at]!)],
      }));
    });
    return Promise.resolve({ results, notes: [] });
  },
};

function falseShareOf(genes: readonly number[], { effects }: SimulatedDonors): number {
  return genes.length === 0 ? 0 : genes.filter((gene) => effects[gene] === 0).length / genes.length;
}

function called({ adjusted }: Tested): number[] {
  return Array.from(adjusted.keys()).filter((gene) => adjusted[gene]! < rate);
}

function shareBelow({ pValues }: Tested): number {
  const tested = pValues.filter((p) => !Number.isNaN(p));
  return tested.filter((p) => p < rate).length / tested.length;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function resultsOf({ method, falsePositives, falseDiscoveries, power }: MethodFindings): Result[] {
  const target = { kind: 'median-at-most', limit: rate } as const;
  return [
    { quantity: `${method.name}: false positives`, unit: 'share', ours: falsePositives },
    {
      quantity: `${method.name}: false discoveries`,
      unit: 'share',
      ours: falseDiscoveries,
      ...(method.isPromised && { target }),
    },
    { quantity: `${method.name}: power`, unit: 'share', ours: power },
  ];
}

function figureOf(findings: readonly MethodFindings[]): string {
  const panel = (of: (found: MethodFindings) => readonly number[], layout: Omit<Panel, 'rows'>): Panel => ({
    ...layout,
    rows: findings.map((one) => ({ label: one.method.name, isWarm: one.method.ofCells, shares: of(one) })),
  });
  return sharesFigure([
    panel(({ falsePositives }) => falsePositives, {
      title: ['False positives', 'no gene changed: genes', 'with p below 5 %'],
      end: 0.4,
      promised: rate,
    }),
    panel(({ falseDiscoveries }) => falseDiscoveries, {
      title: ['False discoveries', 'a tenth changed: unchanged', 'genes called at 5 % FDR'],
      end: 1,
      promised: rate,
    }),
    panel(({ power }) => power, {
      title: ['Power', 'a tenth changed: changed', 'genes called at 5 % FDR'],
      end: 1,
    }),
  ]);
}
