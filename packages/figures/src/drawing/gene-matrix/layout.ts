import { countText } from '@cellfolio/model';
import {
  allNameLines,
  bracketNumbers,
  isCutUpright,
  type KeyLine,
  keyHeight,
  keyLines,
  lineHeight,
  nameSetting,
  numberedNames,
} from './name-setting.ts';
import { columnStyle, type GeneMatrixSpec } from './spec.ts';
import { figureWidth, margin, panelTopEdge, smallSize } from '../scene/style.ts';
import { ellipsised } from '../text/fit-text.ts';
import { fittedNames } from '../text/fitted-names.ts';
import { widest } from '../text/text-width.ts';
import { runGap, bandWidth, geneBands, runsOf } from './gene-bands.ts';
import type { GeneRun } from './gene-bands.ts';

export interface GeneMatrixLayout {
  size: { width: number; height: number };
  left: number;
  hasCounts: boolean;
  countWidth: number;
  groupTitle: string;
  rowLabels: readonly string[];
  rowPitch: number;
  columnPitch: number;
  symbolEvery: number;
  radius: number;
  bands: readonly GeneBand[];
  /** Distance from the columns to the dendrogram, and its depth; both 0 without one. */
  tree: { gap: number; depth: number };
  namesLie: boolean;
  /** Key to the numbers of brackets, below the symbols from `y` on. */
  key?: { lines: readonly KeyLine[]; y: number };
  legend: {
    x: number;
    y: number;
    width: number;
    place: 'beside' | 'below' | 'line' | 'none';
  };
}

export interface GeneBand {
  top: number;
  width: number;
  runs: readonly PlacedRun[];
}

export interface PlacedRun extends GeneRun {
  x: number;
  width: number;
  lines: readonly string[];
  symbols: readonly string[];
}

/** Width of a figure with many genes: over two journal columns (183 mm), its type is 6.3 pt. */
export const maxFigureWidth = 1200;

const legendWidth = 186;
export const legendHeight = 186;
export const legendRadius = 16;
export function legendHeightOf(radius: number): number {
  return legendHeight + 2 * Math.max(0, radius - legendRadius);
}
/** Height of the legend below the columns: size and colour side by side, or an axis whose unit may take two lines. */
export function legendStrip({ marks }: Pick<GeneMatrixSpec, 'marks'>): number {
  return marks === 'violins' ? 105 : 88;
}
export const legendGap = 36;
export const labelGap = 14;
const maxLabelLength = 230;
const maxNumberedLength = 300;
const maxDatasetLength = 340;
const maxSymbolLength = 116;
const maxTypeLength = 190;
export const countTitle = 'cells';
export const bracketRise = 9;
export const nameRise = 7;
export const symbolDrop = 7;
const bandGap = 24;
const treeGap = 8;
const treeDepth = 60;
const emptyHeight = 44;
const maxSpreadWidth = 400;
const widePitch = 26;
const minPitch = 16;
export const bareTop = 22;

type LayoutInput = Pick<GeneMatrixSpec, 'groups' | 'genes' | 'groupTitle' | 'marks' | 'fewCells'> & {
  dendrogram?: GeneMatrixSpec['dendrogram'] | undefined;
  byDataset?: GeneMatrixSpec['byDataset'] | undefined;
};

/** Names of brackets that would have to be cut are replaced by numbers. */
export function geneMatrixLayout(spec: LayoutInput): GeneMatrixLayout {
  const numbers = bracketNumbers(
    spec.genes.map(({ bracket }) => bracket),
    spec.groups.map(({ label }) => label),
  );
  const { isCut, ...named } = laidOut(spec);
  if (!isCut) return named;
  const { isCut: _, ...numbered } = laidOut(spec, numbers);
  return numbered;
}

function laidOut(
  { groups, genes, groupTitle, marks = 'dots', fewCells = 0, dendrogram, byDataset }: LayoutInput,
  numbers?: ReturnType<typeof bracketNumbers>,
): GeneMatrixLayout & { isCut: boolean } {
  const style = columnStyle({ byDataset });
  const rowNames = rowNamesOf(
    groups.map(({ label }) => label),
    { byDataset, areNumbered: numbers?.areRows === true },
  );
  const rowLabels = groups.map(({ cells }, row) => `${rowNames[row]!}${cells < fewCells ? '*' : ''}`);
  const title = ellipsised(groupTitle, maxLabelLength, smallSize);
  const labelWidth = widest([...rowLabels, title]);
  const countWidth = widest([...groups.map((group) => countText(group.cells)), countTitle]);
  const left = Math.ceil(margin + labelWidth + labelGap + countWidth + labelGap);
  const tree = treeIn(dendrogram, treeDepth);
  const columnRoom = maxFigureWidth - left - margin - tree.gap - tree.depth;
  const columnPitch = marks === 'violins' ? violinPitchOf(genes.length) : columnPitchOf(genes, columnRoom);
  // With many cells a line is a part of a row.
  const few = groups.length <= 8 ? 30 : groups.length <= 16 ? 26 : 18;
  const rowPitch = marks === 'cells' ? 1.5 * few : Math.min(columnPitch + 4, few);
  const bandRuns = geneBands(genes, columnPitch, columnRoom);
  const panelWidth = Math.max(0, ...bandRuns.map((runs) => bandWidth(runs, columnPitch)));
  const panelEnd = left + panelWidth + tree.gap + tree.depth;
  const beside = panelEnd + legendGap + legendWidth + margin;
  const isBeside = bandRuns.length <= 1 && beside <= maxFigureWidth;
  const needed = isBeside ? beside : panelEnd + margin;
  const width = Math.min(maxFigureWidth, Math.max(figureWidth, Math.ceil(needed)));

  const setting = numbers ? 'line' : nameSetting(bandRuns, columnPitch);
  const allRuns = bandRuns.flat();
  const namesOfRuns = allNameLines(allRuns, columnPitch, setting);
  const names = new Map(allRuns.map(({ first }, i) => [first, namesOfRuns[i]!]));
  const symbols = fittedNames(
    genes.map(({ symbol }) => symbol),
    style === 'italic' ? maxSymbolLength : maxTypeLength,
    smallSize,
    style,
  );
  const rowsHeight = groups.length * rowPitch;
  let y = panelTopEdge;
  const bands = bandRuns.map((runs): GeneBand => {
    let x = left;
    const placed = runs.map((run): PlacedRun => {
      const at = x;
      const runWidth = run.count * columnPitch;
      x += runWidth + runGap;
      return {
        ...run,
        x: at,
        width: runWidth,
        lines: numbers && run.bracket !== null ? [numbers.numberOf.get(run.bracket)!] : names.get(run.first)!,
        symbols: symbols.slice(run.first, run.first + run.count),
      };
    });
    const top = y + nameHeight(placed, setting !== 'upright');
    const symbolHeight = widest(
      placed.flatMap((run) => run.symbols),
      style,
    );
    y = top + rowsHeight + symbolDrop + symbolHeight + bandGap;
    return { top, width: bandWidth(runs, columnPitch), runs: placed };
  });
  const isEmpty = groups.length === 0 || genes.length === 0;
  const key = numbers && !numbers.areRows ? keyOf(numbers.numberOf, width - 2 * margin) : [];
  const besideTop = bands[0]?.top ?? panelTopEdge;
  // As wide as the figure, so below the legend too.
  const foot = key.length > 0 && isBeside ? Math.max(y - bandGap, besideTop + legendHeight) : y - bandGap;
  const end = isEmpty ? panelTopEdge + emptyHeight : foot + keyHeight(key);
  const legendTop = isBeside ? besideTop : end + bandGap;
  const bottom = isEmpty
    ? end
    : isBeside
      ? Math.max(end, legendTop + legendHeight)
      : legendTop + legendStrip({ marks });
  return {
    size: { width, height: Math.ceil(bottom + margin) },
    left,
    hasCounts: true,
    countWidth,
    groupTitle: title,
    rowLabels,
    rowPitch,
    columnPitch,
    symbolEvery: 1,
    radius: 0.45 * Math.min(rowPitch, columnPitch),
    bands,
    tree,
    namesLie: setting !== 'upright',
    isCut: isCutUpright(bandRuns, columnPitch),
    ...(key.length > 0 && { key: { lines: key, y: foot } }),
    legend: {
      x: isBeside ? panelEnd + legendGap : Math.min(left, width - margin - 2 * legendWidth - legendGap),
      y: legendTop,
      width: legendWidth,
      place: isBeside ? 'beside' : 'below',
    },
  };
}

function rowNamesOf(
  labels: readonly string[],
  { byDataset, areNumbered }: Pick<LayoutInput, 'byDataset'> & { areNumbered: boolean },
): readonly string[] {
  const longest = byDataset ? maxDatasetLength : areNumbered ? maxNumberedLength : maxLabelLength;
  if (!areNumbered) return fittedNames(labels, longest, smallSize);
  return numberedNames(
    labels.map((label, row) => [String(row + 1), label]),
    longest,
  );
}

function keyOf(numberOf: ReadonlyMap<string, string>, width: number): KeyLine[] {
  return keyLines(
    Array.from(numberOf, ([name, number]) => [number, name]),
    width,
  );
}

export function treeIn(dendrogram: GeneMatrixSpec['dendrogram'], depth: number): GeneMatrixLayout['tree'] {
  return dendrogram === undefined || dendrogram.merges.length === 0
    ? { gap: 0, depth: 0 }
    : { gap: treeGap, depth };
}

function violinPitchOf(genes: number): number {
  return genes <= 8 ? 72 : genes <= 16 ? 52 : 40;
}

/** Few genes are as far apart as horizontal bracket names need, many as close as their symbols can be. */
function columnPitchOf(genes: GeneMatrixSpec['genes'], width: number): number {
  if (genes.length === 0) return widePitch;
  const runs = runsOf(genes);
  for (const setting of ['line', 'two lines']) {
    for (let pitch = widePitch; genes.length * pitch <= maxSpreadWidth; pitch += 4) {
      if (nameSetting([runs], pitch) === setting) return pitch;
    }
  }
  const fewest = geneBands(genes, minPitch, width).length;
  let pitch = genes.length <= 20 ? widePitch : genes.length <= 40 ? 22 : 18;
  while (pitch > minPitch && geneBands(genes, pitch, width).length > fewest) pitch--;
  return pitch;
}

function nameHeight(runs: readonly PlacedRun[], isLying: boolean): number {
  const lines = Math.max(0, ...runs.map((run) => run.lines.length));
  if (lines === 0) return bareTop;
  const height = isLying ? lines * lineHeight : widest(runs.flatMap((run) => run.lines));
  return height + bracketRise + nameRise;
}
