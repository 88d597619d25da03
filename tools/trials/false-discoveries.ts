import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { mean, median, percent, type Result } from '../../bench/src/measure/result.ts';
import { paths } from '../../bench/src/paths.ts';
import { calledIn, type Method, methods, shareBelow } from './methods.ts';
import { type DonorsDesign, simulatedDonors, type SimulatedDonors } from './simulated-donors.ts';

const seeds = 100;
const rate = 0.05;

interface MethodFindings {
  method: Method;
  /**
   * Without effects: share of the tested unaffected genes with a p-value below 0.05; and number of genes called at 5 %
   * FDR.
   */
  falsePositives: number[];
  calledWithout: number[];
  /** With effects: share of unaffected genes among those called; and share of changed genes that were called. */
  falseDiscoveries: number[];
  power: number[];
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
        one.calledWithout.push(calledIn(without).length);
        const genes = calledIn(one.method.test(some));
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
        tests.forEach((method, at) => shares[at]!.push(falseShareOf(calledIn(method.test(set)), set)));
      }
      report(`  ${words}: ${shares.map((own) => percent(mean(own))).join(', ')}`);
      return tests.map(({ name }, at): Result => ({
        quantity: `${words}, ${name}: mean false discoveries`,
        unit: 'share',
        ours: [mean(shares[at]!)],
      }));
    });
    return { results, notes: [] };
  },
};

function falseShareOf(genes: readonly number[], { effects }: SimulatedDonors): number {
  return genes.length === 0 ? 0 : genes.filter((gene) => effects[gene] === 0).length / genes.length;
}

function resultsOf({ method, falsePositives, falseDiscoveries, power }: MethodFindings): Result[] {
  const target = { kind: 'median-at-most', limit: rate } as const;
  return [
    { quantity: `${method.name}: false positives`, unit: 'share', ours: falsePositives },
    {
      quantity: `${method.name}: false discoveries`,
      unit: 'share',
      ours: falseDiscoveries,
      target: method.isPromised ? target : undefined,
    },
    { quantity: `${method.name}: power`, unit: 'share', ours: power },
  ];
}

function figureOf(findings: readonly MethodFindings[]): string {
  const panel = (
    of: (findings: MethodFindings) => readonly number[],
    layout: Omit<Panel, 'rows'>,
  ): Panel => ({
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

/** Shares from 0 to 1, one per simulated set. */
interface Row {
  label: string;
  isWarm: boolean;
  shares: readonly number[];
}

interface Panel {
  title: readonly string[];
  end: number;
  promised?: number;
  rows: readonly Row[];
}

const left = 176;
const top = 78;
const rowHeight = 44;
const panelWidth = 226;
const gap = 48;
const colours = { warm: '#c2410c', cold: '#0f6cbd', ink: '#1f2937', quiet: '#6b7280', rule: '#e5e7eb' };

function sharesFigure(panels: readonly Panel[]): string {
  const rows = panels[0]!.rows;
  const width = left + panels.length * (panelWidth + gap);
  const height = top + rows.length * rowHeight + 40;
  const labels = rows.map(({ label }, row) => text(left - 16, middleOf(row) + 4, label, { anchor: 'end' }));
  const parts = panels.map((panel, at) => panelOf(panel, left + at * (panelWidth + gap)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Inter, Helvetica, Arial, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...labels,
    ...parts.flat(),
    '</svg>\n',
  ].join('\n');
}

const middleOf = (row: number) => top + (row + 0.5) * rowHeight;

function panelOf({ title, end, promised, rows }: Panel, x: number): string[] {
  const at = (share: number) => round(x + (Math.min(share, end) / end) * panelWidth);
  const bottom = top + rows.length * rowHeight;
  const ticks = Array.from({ length: 5 }, (_, i) => (i * end) / 4);
  return [
    ...title.map((line, i) => text(x, 24 + i * 17, line, { weight: i === 0 ? 600 : 400 })),
    ...ticks.flatMap((tick) => [
      `<path d="M${at(tick)} ${top}V${bottom}" stroke="${colours.rule}"/>`,
      text(at(tick), bottom + 20, `${round(tick * 100)} %`, { anchor: 'middle', colour: colours.quiet }),
    ]),
    ...(promised === undefined
      ? []
      : [`<path d="M${at(promised)} ${top}V${bottom}" stroke="${colours.ink}" stroke-dasharray="4 3"/>`]),
    ...rows.flatMap((row, place) => marksOf(row, middleOf(place), at)),
  ];
}

function marksOf({ shares, isWarm }: Row, y: number, at: (share: number) => number): string[] {
  const rising = [...shares].sort((a, b) => a - b);
  const colour = isWarm ? colours.warm : colours.cold;
  // Spread by the golden section, so that neighbours in size lie apart.
  const dots = rising.map((share, i) => {
    const offset = (((i * 0.618_034) % 1) - 0.5) * 24;
    return `<circle cx="${at(share)}" cy="${round(y + offset)}" r="2.4"/>`;
  });
  const half = rising.length / 2;
  const median = (rising[Math.ceil(half) - 1]! + rising[Math.floor(half)]!) / 2;
  return [
    `<g fill="${colour}" fill-opacity="0.35">${dots.join('')}</g>`,
    `<path d="M${at(median)} ${y - 17}v34" stroke="${colour}" stroke-width="3"/>`,
  ];
}

function text(
  x: number,
  y: number,
  content: string,
  {
    anchor = 'start',
    weight = 400,
    colour = colours.ink,
  }: { anchor?: string; weight?: number; colour?: string } = {},
): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-weight="${weight}" fill="${colour}">${content}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
