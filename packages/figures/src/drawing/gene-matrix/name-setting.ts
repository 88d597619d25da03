import { smallSize } from '../scene/style.ts';
import { ellipsisedInside, isWhole, wrappedLines } from '../text/fit-text.ts';
import { fittedNames, distinctLabels } from '../text/fitted-names.ts';
import { textWidth, widest } from '../text/text-width.ts';
import { type GeneRun, runGap } from './gene-bands.ts';

const maxBracketLength = 132;
const minRoomyRun = 120;
const nameGap = 9;
const nameOverhang = 10;
const keyDrop = 8;
export const lineHeight = 17;

type NameSetting = 'line' | 'two lines' | 'upright';

export function nameSetting(bands: readonly (readonly GeneRun[])[], pitch: number): NameSetting {
  const isFit = (setting: NameSetting): boolean => bands.every((runs) => doNamesFit(runs, pitch, setting));
  if (isFit('line')) return 'line';
  // Where there is much room, even a shortened name reads better horizontally.
  const isRoomy = bands.flat().every((run) => run.count * pitch >= minRoomyRun);
  return isRoomy || isFit('two lines') ? 'two lines' : 'upright';
}

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
  return wrappedLines(bracket, count * pitch + runGap, smallSize);
}

export function allNameLines(
  runs: readonly GeneRun[],
  pitch: number,
  setting: NameSetting,
): (readonly string[])[] {
  const widthOf = ({ count }: GeneRun): number =>
    setting === 'upright' ? maxBracketLength : count * pitch + runGap;
  return distinctLabels(
    runs.map(({ bracket }) => bracket ?? ''),
    runs.map((run) => nameLines(run, pitch, setting).join('\n')),
    (place) => (text) => textWidth(text, smallSize) <= widthOf(runs[place]!),
  ).map((text) => (text === '' ? [] : text.split('\n')));
}

function doLie(runs: readonly GeneRun[], pitch: number): boolean {
  const setting = nameSetting([runs], pitch);
  return (
    setting !== 'upright' &&
    runs.every((run) => run.bracket === null || isWhole(nameLines(run, pitch, setting), run.bracket))
  );
}

/**
 * Minimum pitch, from `first` on, at which the names are horizontal and uncut; `first` if there is none up to `maxPitch`.
 */
export function lyingPitch(runs: readonly GeneRun[], first: number, maxPitch: number): number {
  if (runs.every(({ bracket }) => bracket === null)) return first;
  for (let pitch = first; pitch <= maxPitch; pitch += 2) if (doLie(runs, pitch)) return pitch;
  return first;
}

export function isCutUpright(bands: readonly (readonly GeneRun[])[], pitch: number): boolean {
  return (
    nameSetting(bands, pitch) === 'upright' &&
    bands
      .flat()
      .some((run) => run.bracket !== null && !isWhole(nameLines(run, pitch, 'upright'), run.bracket))
  );
}

/** Numbers of brackets: those of the rows they are named after, else in order, explained by a key. */
export function bracketNumbers(
  brackets: readonly (string | null)[],
  rows: readonly string[],
): { numberOf: ReadonlyMap<string, string>; areRows: boolean } {
  const named = [...new Set(brackets.filter((bracket) => bracket !== null))];
  const areRows = named.every((name) => rows.includes(name));
  const order = areRows ? rows : named;
  return { numberOf: new Map(order.map((name, i) => [name, String(i + 1)])), areRows };
}

export function keyHeight(key: readonly KeyLine[]): number {
  return key.length === 0 ? 0 : keyDrop + key.length * lineHeight;
}

type Numbered = readonly [number: string, name: string];

/** `3 Mast cell`, each cut to a width, with different names kept distinct. */
export function numberedNames(entries: readonly Numbered[], width: number): string[] {
  const names = fittedNames(
    entries.map(([, name]) => name),
    entries.map(([number]) => width - textWidth(`${number} `, smallSize)),
    smallSize,
  );
  return entries.map(([number], i) => `${number} ${names[i]!}`);
}

/** Line of a key, and its full text if a name was cut. */
export interface KeyLine {
  text: string;
  full: string;
}

export function keyLines(entries: readonly Numbered[], width: number): KeyLine[] {
  const lines: KeyLine[] = [];
  numberedNames(entries, width).forEach((shown, i) => {
    const whole = entries[i]!.join(' ');
    const last = lines.at(-1);
    const longer = last && `${last.text} · ${shown}`;
    if (longer !== undefined && textWidth(longer, smallSize) <= width)
      lines[lines.length - 1] = { text: longer, full: `${last!.full} · ${whole}` };
    else lines.push({ text: shown, full: whole });
  });
  return lines;
}

export function keyBaseline(line: number): number {
  return keyDrop + (line + 0.75) * lineHeight;
}
