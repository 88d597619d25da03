import { smallSize } from '../scene/style.ts';
import { ellipsisedInside, isWhole, wrappedOnTwo } from '../text/fit-text.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { type GeneRun, runGap } from './gene-bands.ts';

const maxBracketLength = 132;
const minRoomyRun = 120;
/** Between two names, and by how much one may stand out over the first or last column. */
const nameGap = 9;
const nameOverhang = 10;
/** From the symbols down to the key, and the height of its lines. */
const keyDrop = 8;
export const lineHeight = 17;

/** How the names of the brackets are set: horizontal on one line or two, or vertical. */
export type NameSetting = 'line' | 'two lines' | 'upright';

export function nameSetting(bands: readonly (readonly GeneRun[])[], pitch: number): NameSetting {
  const isFit = (setting: NameSetting): boolean => bands.every((runs) => doNamesFit(runs, pitch, setting));
  if (isFit('line')) return 'line';
  // Where there is much room, even a shortened name reads better horizontally.
  const isRoomy = bands.flat().every((run) => run.count * pitch >= minRoomyRun);
  return isRoomy || isFit('two lines') ? 'two lines' : 'upright';
}

/** Whether whole names centred over their brackets keep clear of each other and of what stands beside them. */
function doNamesFit(runs: readonly GeneRun[], pitch: number, setting: NameSetting): boolean {
  let x = 0;
  let free = -nameOverhang;
  for (const run of runs) {
    const width = run.count * pitch;
    if (run.bracket !== null) {
      const lines = nameLines(run, pitch, setting);
      const name = widest(lines);
      const start = x + (width - name) / 2;
      if (start < free || !isWhole(lines, run.bracket)) return false;
      free = start + name + nameGap;
    }
    x += width + runGap;
  }
  return free - nameGap <= x - runGap + nameOverhang;
}

export function nameLines(
  { bracket, count }: GeneRun,
  pitch: number,
  setting: NameSetting,
): readonly string[] {
  if (bracket === null) return [];
  if (setting === 'line') return [bracket];
  if (setting === 'upright') return [ellipsisedInside(bracket, maxBracketLength, smallSize)];
  return wrappedOnTwo(bracket, count * pitch + runGap, smallSize);
}

/** Whether every name lies whole over its bracket. */
function doLie(runs: readonly GeneRun[], pitch: number): boolean {
  const setting = nameSetting([runs], pitch);
  return (
    setting !== 'upright' &&
    runs.every((run) => run.bracket === null || isWhole(nameLines(run, pitch, setting), run.bracket))
  );
}

/** The least pitch from one on at which the names lie whole; the first where there is none up to `most`. */
export function lyingPitch(runs: readonly GeneRun[], first: number, most: number): number {
  if (runs.every(({ bracket }) => bracket === null)) return first;
  for (let pitch = first; pitch <= most; pitch += 2) if (doLie(runs, pitch)) return pitch;
  return first;
}

/** Whether a name that stands is cut, which then cannot be told from its neighbours. */
export function isCutUpright(bands: readonly (readonly GeneRun[])[], pitch: number): boolean {
  return (
    nameSetting(bands, pitch) === 'upright' &&
    bands
      .flat()
      .some((run) => run.bracket !== null && !isWhole(nameLines(run, pitch, 'upright'), run.bracket))
  );
}

/** Numbers of brackets: those of the rows that they are named as, else in their order, which a key explains. */
export function bracketNumbers(
  brackets: readonly (string | null)[],
  rows: readonly string[],
): { readonly numberOf: ReadonlyMap<string, string>; readonly areRows: boolean } {
  const named = [...new Set(brackets.filter((bracket) => bracket !== null))];
  const areRows = named.every((name) => rows.includes(name));
  const order = areRows ? rows : named;
  return { numberOf: new Map(order.map((name, i) => [name, String(i + 1)])), areRows };
}

export function keyHeight(key: readonly string[]): number {
  return key.length === 0 ? 0 : keyDrop + key.length * lineHeight;
}

/** Entries beside each other on as many lines as they need; one that is longer than a line is shortened. */
export function keyLines(entries: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const shown = ellipsisedInside(entry, width, smallSize);
    const longer = lines.length === 0 ? shown : `${lines.at(-1)!} · ${shown}`;
    if (lines.length > 0 && textWidth(longer, smallSize) <= width) lines[lines.length - 1] = longer;
    else lines.push(shown);
  }
  return lines;
}

/** Baseline of a line of the key, from the foot of the symbols. */
export function keyBaseline(line: number): number {
  return keyDrop + (line + 0.75) * lineHeight;
}
