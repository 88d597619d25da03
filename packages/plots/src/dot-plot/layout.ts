import { countText } from '@cellfolio/model';
import type { DotPlotSpec } from './spec.ts';
import { FIGURE_WIDTH, MARGIN, PANEL_TOP, SMALL_SIZE } from '../drawing/scene/style.ts';
import { ellipsised, ellipsisedInside, isWhole, wrappedOnTwo } from '../drawing/text/fit-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { RUN_GAP, bandWidth, geneBands, runsOf } from './gene-bands.ts';
import type { GeneRun } from './gene-bands.ts';

/** Where everything of a dot plot goes, in CSS pixels. */
export interface DotPlotLayout {
  readonly size: { readonly width: number; readonly height: number };
  /** Left edge of the columns. */
  readonly left: number;
  /** Whether rows have their counts. */
  readonly hasCounts: boolean;
  readonly countWidth: number;
  readonly groupTitle: string;
  readonly rowLabels: readonly string[];
  readonly rowPitch: number;
  readonly columnPitch: number;
  /** Of the largest dot. */
  readonly radius: number;
  readonly bands: readonly DotBand[];
  /** True where the names of brackets lie, false where they stand. */
  readonly namesLie: boolean;
  readonly legend: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly isBeside: boolean;
    readonly isShown: boolean;
  };
}

export interface DotBand {
  /** Where the first row begins. */
  readonly top: number;
  readonly width: number;
  readonly runs: readonly PlacedRun[];
}

export interface PlacedRun extends GeneRun {
  /** Left edge. */
  readonly x: number;
  readonly width: number;
  /** The bracket's name: upright on one line, or lying on one or two. */
  readonly lines: readonly string[];
  readonly symbols: readonly string[];
}

/** Width of a figure of many genes: set over two columns of a journal (183 mm), its type is 6.3 pt. */
export const WIDEST = 1200;

export const LEGEND_WIDTH = 186;
export const LEGEND_HEIGHT = 186;
/** Height of the legend where size and colour stand side by side. */
export const LEGEND_STRIP = 88;
export const LEGEND_GAP = 36;
export const LINE = 17;
/** Between a row's label, its count and the columns. */
export const LABEL_GAP = 14;
const LONGEST_LABEL = 230;
const LONGEST_SYMBOL = 116;
const LONGEST_BRACKET = 132;
const LEAST_LYING = 120;
/** Between two names, and by how much one may stand out over the first or last column. */
const NAME_GAP = 9;
const NAME_OVERHANG = 10;
/** Above the counts. */
export const COUNT_TITLE = 'cells';
/** From the columns up to the line of a bracket, and on to its name. */
export const BRACKET_RISE = 9;
export const NAME_RISE = 7;
/** From the columns down to the symbols. */
export const SYMBOL_DROP = 7;
const BAND_GAP = 24;
/** Where the sentence of a figure without dots stands. */
const EMPTY_HEIGHT = 44;
/** Width up to which columns may be moved apart. */
const ROOMY = 400;
const WIDE_PITCH = 26;
/** Symbols that stand nearer would touch. */
const LEAST_PITCH = 16;
/** Above the rows where there are no brackets: the title of the groups. */
export const BARE_TOP = 22;

export function dotPlotLayout({
  groups,
  genes,
  groupTitle,
  fewCells = 0,
}: Pick<DotPlotSpec, 'groups' | 'genes' | 'groupTitle' | 'fewCells'>): DotPlotLayout {
  const rowLabels = groups.map(({ label, cells }) => {
    const mark = cells < fewCells ? '*' : '';
    return `${ellipsisedInside(label, LONGEST_LABEL, SMALL_SIZE)}${mark}`;
  });
  const title = ellipsised(groupTitle, LONGEST_LABEL, SMALL_SIZE);
  const labelWidth = widest([...rowLabels, title]);
  const countWidth = widest([...groups.map((group) => countText(group.cells)), COUNT_TITLE]);
  const left = Math.ceil(MARGIN + labelWidth + LABEL_GAP + countWidth + LABEL_GAP);
  const columnPitch = columnPitchOf(genes, WIDEST - left - MARGIN);
  const rowPitch = Math.min(columnPitch + 4, groups.length <= 8 ? 30 : groups.length <= 16 ? 26 : 18);
  const bandRuns = geneBands(genes, columnPitch, WIDEST - left - MARGIN);
  const panelWidth = Math.max(0, ...bandRuns.map((runs) => bandWidth(runs, columnPitch)));
  const beside = left + panelWidth + LEGEND_GAP + LEGEND_WIDTH + MARGIN;
  const isBeside = bandRuns.length <= 1 && beside <= WIDEST;
  const needed = isBeside ? beside : left + panelWidth + MARGIN;
  const width = Math.min(WIDEST, Math.max(FIGURE_WIDTH, Math.ceil(needed)));

  const setting = nameSetting(bandRuns, columnPitch);
  const symbols = genes.map((gene) => ellipsised(gene.symbol, LONGEST_SYMBOL, SMALL_SIZE, 'italic'));
  const rowsHeight = groups.length * rowPitch;
  let y = PANEL_TOP;
  const bands = bandRuns.map((runs): DotBand => {
    let x = left;
    const placed = runs.map((run): PlacedRun => {
      const at = x;
      const runWidth = run.count * columnPitch;
      x += runWidth + RUN_GAP;
      return {
        ...run,
        x: at,
        width: runWidth,
        lines: nameLines(run, columnPitch, setting),
        symbols: symbols.slice(run.first, run.first + run.count),
      };
    });
    const top = y + nameHeight(placed, setting !== 'upright');
    const symbolHeight = widest(
      placed.flatMap((run) => run.symbols),
      'italic',
    );
    y = top + rowsHeight + SYMBOL_DROP + symbolHeight + BAND_GAP;
    return { top, width: bandWidth(runs, columnPitch), runs: placed };
  });
  const isEmpty = groups.length === 0 || genes.length === 0;
  const end = isEmpty ? PANEL_TOP + EMPTY_HEIGHT : y - BAND_GAP;
  const legendTop = isBeside ? (bands[0]?.top ?? PANEL_TOP) : end + BAND_GAP;
  const bottom = isEmpty
    ? end
    : isBeside
      ? Math.max(end, legendTop + LEGEND_HEIGHT)
      : legendTop + LEGEND_STRIP;
  return {
    size: { width, height: Math.ceil(bottom + MARGIN) },
    left,
    hasCounts: true,
    countWidth,
    groupTitle: title,
    rowLabels,
    rowPitch,
    columnPitch,
    radius: 0.45 * Math.min(rowPitch, columnPitch),
    bands,
    namesLie: setting !== 'upright',
    legend: {
      x: isBeside
        ? left + panelWidth + LEGEND_GAP
        : Math.min(left, width - MARGIN - 2 * LEGEND_WIDTH - LEGEND_GAP),
      y: legendTop,
      width: LEGEND_WIDTH,
      isBeside,
      isShown: true,
    },
  };
}

/** Few genes stand as far apart as the names of their brackets need to lie, many as near as their symbols can. */
function columnPitchOf(genes: DotPlotSpec['genes'], width: number): number {
  if (genes.length === 0) return WIDE_PITCH;
  const runs = runsOf(genes);
  for (const wanted of ['line', 'two lines']) {
    for (let pitch = WIDE_PITCH; genes.length * pitch <= ROOMY; pitch += 4) {
      if (nameSetting([runs], pitch) === wanted) return pitch;
    }
  }
  const fewest = geneBands(genes, LEAST_PITCH, width).length;
  let pitch = genes.length <= 20 ? WIDE_PITCH : genes.length <= 40 ? 22 : 18;
  while (pitch > LEAST_PITCH && geneBands(genes, pitch, width).length > fewest) pitch--;
  return pitch;
}

/** How the names of the brackets are set: lying on one line or on two, or upright. */
type NameSetting = 'line' | 'two lines' | 'upright';

export function nameSetting(bands: readonly (readonly GeneRun[])[], pitch: number): NameSetting {
  const isFit = (setting: NameSetting): boolean => bands.every((runs) => doNamesFit(runs, pitch, setting));
  if (isFit('line')) return 'line';
  // Where there is much room, even a shortened name is better read lying.
  const isRoomy = bands.flat().every((run) => run.count * pitch >= LEAST_LYING);
  return isRoomy || isFit('two lines') ? 'two lines' : 'upright';
}

/** Whether whole names centred over their brackets keep clear of each other and of what stands beside them. */
function doNamesFit(runs: readonly GeneRun[], pitch: number, setting: NameSetting): boolean {
  let x = 0;
  let free = -NAME_OVERHANG;
  for (const run of runs) {
    const width = run.count * pitch;
    if (run.bracket !== null) {
      const lines = nameLines(run, pitch, setting);
      const name = widest(lines);
      const start = x + (width - name) / 2;
      if (start < free || !isWhole(lines, run.bracket)) return false;
      free = start + name + NAME_GAP;
    }
    x += width + RUN_GAP;
  }
  return free - NAME_GAP <= x - RUN_GAP + NAME_OVERHANG;
}

export function nameLines(
  { bracket, count }: GeneRun,
  pitch: number,
  setting: NameSetting,
): readonly string[] {
  if (bracket === null) return [];
  if (setting === 'line') return [bracket];
  if (setting === 'upright') return [ellipsisedInside(bracket, LONGEST_BRACKET, SMALL_SIZE)];
  return wrappedOnTwo(bracket, count * pitch + RUN_GAP, SMALL_SIZE);
}

function nameHeight(runs: readonly PlacedRun[], isLying: boolean): number {
  const lines = Math.max(0, ...runs.map((run) => run.lines.length));
  if (lines === 0) return BARE_TOP;
  const height = isLying ? lines * LINE : widest(runs.flatMap((run) => run.lines));
  return height + BRACKET_RISE + NAME_RISE;
}

export function widest(texts: readonly string[], style: 'regular' | 'italic' = 'regular'): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, SMALL_SIZE, style)), 0);
}
