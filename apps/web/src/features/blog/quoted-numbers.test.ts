import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { articleSource } from './article-text.test-data.ts';

/** Written by tools/articles/make-figures.ts, together with the figures. */
const numbers = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../tools/articles/numbers.json'), 'utf8'),
) as Numbers;

interface Numbers {
  umap: {
    cells: number;
    settings: Record<string, { neighboursKept: number; centroidSpearman: number }>;
    otherOrder: { neighboursShared: number };
    mixedClouds: {
      distances: Record<string, [number, number]>;
      spread: [string, number, number][];
    };
  };
  de: {
    cells: number;
    splits: Split[];
    trueSplit: Split;
    nulls: number[];
    foxp3: Record<'shareInTregs' | 'shareInOthers' | 'log2OfMeansOfLogs' | 'log2OfMeansOfCounts', number>;
    methods: Record<string, number>;
    doubleDipping: { cells: number; afterClustering: number; afterRandomSplit: number };
  };
  batch: {
    cells: [number, number];
    states: Record<string, Record<'before' | 'after', Record<string, { otherSource: number }>>>;
    transfer: Record<'before' | 'after', { cells: number; votes: Record<string, number> }>;
    patients: Record<string, { before: number; after: number }>;
  };
  rare: {
    cellsNeeded: Record<string, number>;
    top: Record<'blood' | 'lung', { kept: number; threshold: number; types: Record<string, number> }>;
    gates: { breast: { genes: string[]; cells: number; mast: number }[] };
    ambient: Record<string, number>;
    panels: Record<string, Record<'training' | 'heldOut', { f1: number }>>;
  };
  signatures: {
    interferon: Record<'withPresentation' | 'without', Record<string, number>>;
    scoredAmongAllCells: Record<string, number>;
    scoredAmongTCells: Record<string, number>;
    bySeed: [number, number][];
    sizes: Record<string, { exhaustedOverEffector: number; exhaustedOverTreg: number }>;
    random: { signatures: number; pBelow005: number; adjustedBelow005: number };
  };
}
interface Split {
  wilcoxonOnCells: number;
  tTestOnCells: number;
  tTestOnPatients: number;
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const percent = (share: number): string => String(Math.round(100 * share));
const grouped = (value: number): string => value.toLocaleString('en-US');
/** Uses a true minus sign, as in the texts; a negative zero is zero. */
const decimal = (value: number, digits = 2): string =>
  value
    .toFixed(digits)
    .replace(/^-(0\.0+)$/, '$1')
    .replace('-', '−');

function unsaid(slug: string, phrases: readonly string[]): string[] {
  const text = flat(articleSource(slug));
  return phrases.filter((phrase) => !text.includes(phrase));
}

test('the UMAP article quotes what was computed', () => {
  const { cells, settings, otherOrder, mixedClouds } = numbers.umap;
  const keptPercent = (name: string) => percent(settings[name]!.neighboursKept);
  const order = (name: string) => decimal(settings[name]!.centroidSpearman);
  const all = Object.entries(mixedClouds.distances);
  const far = all.map(([, [components]]) => components);
  const onMap = all.filter(([pair]) => !pair.includes('Epithelial')).map(([, [, map]]) => map);
  const place = (pair: string, at: 0 | 1): number =>
    1 + all.filter(([, pairDistances]) => pairDistances[at] < mixedClouds.distances[pair]![at]).length;
  const spread = (name: string) => mixedClouds.spread.find(([type]) => type === name)!;
  expect(place('Macrophage - Monocyte', 0)).toBe(3);
  const missing = unsaid('umap-visualization-cell-state-manifold-geometry', [
    `${grouped(cells)} simulated cells`,
    `the answer is ${keptPercent('neighbors-15')} percent`,
    `keep ${keptPercent('neighbors-5')} and ${keptPercent('neighbors-100')} percent`,
    `share ${percent(otherOrder.neighboursShared)} percent of their neighbor relations`,
    `is ${decimal(Math.min(...far), 1)} and the longest ${decimal(Math.max(...far), 1)}`,
    `run from ${Math.min(...onMap).toFixed(1)} (fibroblasts to mast cells)`,
    `to ${Math.max(...onMap).toFixed(1)} (monocytes to plasma cells)`,
    `they rank ${place('Macrophage - Monocyte', 1)}th of ${all.length}`,
    `is ${order('neighbors-15')} with 15 neighbors, ${order('neighbors-5')} with 5 and ${order('neighbors-100')} with 100`,
    `is ${decimal(spread('Mast')[1], 1)} for mast cells and ${decimal(spread('Macrophage')[1], 1)} for macrophages`,
    `radius ${decimal(spread('Macrophage')[2], 1)} and the mast cells one of ${decimal(spread('Mast')[2], 1)}`,
  ]);
  expect(missing).toEqual([]);
});

test('the article on differential expression quotes what was computed', () => {
  const { cells, splits, trueSplit, nulls, foxp3, methods, doubleDipping } = numbers.de;
  const wilcoxon = splits.map((split) => split.wilcoxonOnCells);
  const welch = splits.map((split) => split.tTestOnCells);
  expect(splits.map((split) => split.tTestOnPatients)).toEqual(Array.from(splits, () => 0));
  expect(nulls).toEqual(Array.from({ length: 10 }, () => 0));
  expect(doubleDipping.afterRandomSplit).toBe(0);
  expect(doubleDipping.afterClustering).toBe(9);
  const missing = unsaid('single-cell-differential-expression-statistical-assumptions', [
    `${grouped(cells)} simulated T cells`,
    `${trueSplit.wilcoxonOnCells} genes are significant`,
    `['Treated against untreated', ${trueSplit.wilcoxonOnCells}, ${trueSplit.tTestOnCells}, 0]`,
    `['Fewest of all ten splits', ${Math.min(...wilcoxon)}, ${Math.min(...welch)}, 0]`,
    `['Most of all ten splits', ${Math.max(...wilcoxon)}, ${Math.max(...welch)}, 0]`,
    `share ${methods['T cell']} genes; for macrophages ${methods['Macrophage']}; for mast cells, of which there are only 62, ${methods['Mast']}`,
    `${percent(foxp3.shareInTregs)} percent of the regulatory T cells`,
    `in ${percent(foxp3.shareInOthers)} percent of the other T cells`,
    `fold change of ${decimal(foxp3.log2OfMeansOfLogs)};`,
    `themselves gives ${decimal(foxp3.log2OfMeansOfCounts)}`,
    `${doubleDipping.cells} naive and memory CD4 T cells`,
    'Nine genes are significant',
  ]);
  expect(missing).toEqual([]);
});

test('the article on batch correction quotes what was computed', () => {
  const { cells, states, transfer, patients } = numbers.batch;
  const row = (state: string): string => {
    const { before, after } = states[state]!;
    const share = (of: typeof before, source: string) => `'${percent(of[source]!.otherSource)} %'`;
    return `['${state}', ${share(before, 'Blood')}, ${share(after, 'Blood')}, ${share(before, 'Melanoma')}, ${share(after, 'Melanoma')}]`;
  };
  expect(transfer.before.votes['CD8 T exhausted']).toBe(2);
  expect(transfer.after.votes['CD8 T exhausted']).toBe(12);
  const missing = unsaid('batch-correction-scrna-seq-methods-comparison', [
    `(${grouped(cells[0])} cells)`,
    `(${grouped(cells[1])} cells)`,
    ...['CD8 T effector memory', 'CD4 T naive and memory', 'B memory', 'NK'].map(row),
    `the ${transfer.before.cells} CD8 effector memory cells`,
    `${decimal(100 * patients['Epithelial tumour']!.before, 1)} percent of the neighbors of a tumor cell`,
    `After it, ${decimal(100 * patients['Epithelial tumour']!.after, 1)} percent do`,
  ]);
  expect(missing).toEqual([]);
});

test('the article on rare cells quotes what was computed', () => {
  const { cellsNeeded, top, gates, ambient, panels } = numbers.rare;
  const types = top.blood.types;
  const missing = unsaid('detect-rare-cell-populations-without-overfitting', [
    `['1 %', 10, '${grouped(cellsNeeded['tenOfOnePercent']!)}']`,
    `['0.5 %', 10, '${grouped(cellsNeeded['tenOfHalfPercent']!)}']`,
    `['0.5 %', 30, '${grouped(cellsNeeded['thirtyOfHalfPercent']!)}']`,
    `['0.1 %', 10, '${grouped(cellsNeeded['tenOfATenthPercent']!)}']`,
    `${top.blood.kept} cells: ${types['T cell']} T cells, ${types['Monocyte']} monocytes, ${types['B cell']} B cells and ${types['NK']} NK cells`,
    `threshold of ${decimal(top.lung.threshold)}, and all ${top.lung.types['Macrophage']} cells`,
    `the threshold is ${decimal(top.blood.threshold)}`,
    ...gates.breast.map(({ cells, mast }) => `, ${cells}, ${mast}, '${percent(mast / cells)} %']`),
    `${decimal(100 * ambient['S100A8']!, 1)} percent of T cells`,
    `${decimal(100 * ambient['KRT8']!, 1)} percent have KRT8`,
    ...Object.entries(panels).map(
      ([size, { training, heldOut }]) => `['${size}', '${decimal(training.f1)}', '${decimal(heldOut.f1)}']`,
    ),
  ]);
  expect(missing).toEqual([]);
});

test('the article on signatures quotes what was computed', () => {
  const { interferon, scoredAmongAllCells, scoredAmongTCells, bySeed, sizes, random } = numbers.signatures;
  const exhausted = bySeed.map(([mean]) => mean);
  const area = (name: string) => {
    const { exhaustedOverEffector, exhaustedOverTreg } = sizes[name]!;
    return `${decimal(exhaustedOverEffector)}, ${decimal(exhaustedOverTreg)}]`;
  };
  const missing = unsaid('gene-signatures-context-specificity-challenges', [
    ...['Macrophage', 'B cell', 'Endothelial', 'T cell', 'Epithelial', 'NK'].map(
      (type) =>
        `['${type}', '${decimal(interferon.withPresentation[type]!)}', '${decimal(interferon.without[type]!)}']`,
    ),
    ...Object.keys(scoredAmongTCells).map(
      (state) =>
        `['${state}', '${decimal(scoredAmongAllCells[state]!)}', '${decimal(scoredAmongTCells[state]!)}']`,
    ),
    `between ${decimal(Math.min(...exhausted), 3)} and ${decimal(Math.max(...exhausted), 3)}`,
    `['PDCD1 alone', ${area('pdcd1')}`,
    `['First three genes', ${area('three')}`,
    `['First five genes', ${area('five')}`,
    `['All ten', ${area('ten')}`,
    `['Six not shared with regulatory T', ${area('notShared')}`,
    `Of the ${random.signatures} random signatures, ${random.pBelow005} had`,
    `and ${random.adjustedBelow005} were still significant`,
  ]);
  expect(missing).toEqual([]);
});
