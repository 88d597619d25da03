import type { GeneRun } from './gene-bands.ts';
import { bareTop, bracketRise, nameRise } from './layout.ts';
import { allNameLines, type KeyLine, keyHeight, keyLines, lineHeight, nameSetting } from './name-setting.ts';

interface BracketNames {
  /** Per run: a name on one or two lines, a number, or nothing. */
  lines: readonly (readonly string[])[];
  key: readonly KeyLine[];
  head: number;
  unnamed: number;
}

interface Room {
  columnPitch: number;
  spare: number;
  width: number;
}

const minNameWidth = 64;
export function bracketNames(runs: readonly GeneRun[], { columnPitch, spare, width }: Room): BracketNames {
  const bracketed = runs.filter(({ bracket }) => bracket !== null);
  const none = { lines: runs.map(() => []), key: [], head: bareTop };
  if (bracketed.length === 0) return { ...none, unnamed: 0 };
  // Names that stand would take the height that the rows need.
  const setting = nameSetting([runs], columnPitch);
  const isReadable = bracketed.every(({ count }) => count * columnPitch >= minNameWidth);
  if (setting !== 'upright' || isReadable) {
    const direction = setting === 'upright' ? 'two lines' : setting;
    const lines = allNameLines(runs, columnPitch, direction);
    const head = headOf(Math.max(...lines.map((name) => name.length)));
    if (head - bareTop <= spare) return { lines, key: [], head, unnamed: 0 };
  }
  let number = 0;
  const numbers = runs.map(({ bracket }) => (bracket === null ? [] : [String(++number)]));
  const key = keyLines(
    bracketed.map(({ bracket }, i) => [String(i + 1), bracket!]),
    width,
  );
  const head = headOf(1);
  const isRoom = head - bareTop + keyHeight(key) <= spare;
  return isRoom ? { lines: numbers, key, head, unnamed: 0 } : { ...none, unnamed: bracketed.length };
}

export function rowNumbers(runs: readonly GeneRun[], rowOf: ReadonlyMap<string, number>): BracketNames {
  const lines = runs.map(({ bracket }) => (bracket === null ? [] : [String(rowOf.get(bracket)!)]));
  return { lines, key: [], head: headOf(1), unnamed: 0 };
}

export const bracketHead = headOf(1);

function headOf(lines: number): number {
  return Math.max(bareTop, lines * lineHeight + bracketRise + nameRise);
}
