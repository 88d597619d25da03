import { isDatasetFile } from '@cellfolio/contract';
import { nameList } from '@/lib/format.ts';
import { doubtAbout, partOfSample, shownName } from './same-names.ts';
import type { FilesByName } from './same-names.ts';
import type { FileState } from './file-state.ts';
import { checkTrio, isConvertible } from './trio.ts';
import type { TrioCheck } from './trio.ts';
import type { UserFile } from './user-files.ts';

export interface Trio {
  sample: string;
  files: readonly UserFile[];
}

export interface SelectionPlan {
  action: 'combine' | 'convert' | 'convertSeveral' | null;
  trios: readonly Trio[];
  check: TrioCheck;
  /** Shown instead of the instruction; empty if the instruction applies. */
  hint: string;
  left: readonly string[];
  doubts: readonly (readonly string[])[];
}

export interface Known {
  /** `undefined` until the server lists the files; until then only the server validates. */
  states: ReadonlyMap<string, FileState> | undefined;
  byName: FilesByName;
  allowed: boolean;
}

const fine: TrioCheck = { state: 'fits', text: '' };
const notAllowed: TrioCheck = { state: 'wrong', text: 'Conversion is part of the Professional plan.' };
const nothing: SelectionPlan = { action: null, trios: [], check: fine, hint: '', left: [], doubts: [] };

export function planSelection(selected: readonly UserFile[], context: Known): SelectionPlan {
  const datasets = selected.filter(({ original_filename }) => isDatasetFile(original_filename)).length;
  if (datasets === selected.length && datasets >= 2) {
    return {
      ...nothing,
      action: 'combine',
      hint: 'The selected files can become one dataset, as its samples.',
    };
  }
  if (datasets > 0 && datasets < selected.length) {
    return {
      ...nothing,
      hint: 'Datasets and files of matrices are selected. Convert the matrices first, then combine the results with the datasets.',
    };
  }
  if (isConvertible(selected)) {
    const doubt = doubtAbout(selected, context.byName);
    return {
      ...nothing,
      action: 'convert',
      trios: [{ sample: '', files: selected }],
      check: judge(selected, context),
      hint: doubt === null ? '' : `${doubt.reason} Barcodes of another sample would name every cell wrongly.`,
      doubts: doubt === null ? [] : [doubt.files],
    };
  }
  return selected.length > 3 ? planSeveral(selected, context) : nothing;
}

function planSeveral(selected: readonly UserFile[], context: Known): SelectionPlan {
  if (!context.allowed) return { ...nothing, check: notAllowed };
  const { trios, left } = groupTrios(selected);
  const checked = trios.map((trio) => ({ trio, check: judge(trio.files, context) }));
  const pendingTrio = checked.find(({ check }) => check.state === 'waiting');
  const [able, unable] = [true, false].map((can) =>
    checked.filter(({ check: { state } }) => can === (state === 'fits' || state === 'waiting')),
  ) as [typeof checked, typeof checked];
  const names = nameList(
    able.map(({ trio }) => titleOf(trio)),
    6,
  );
  return {
    action: able.length > 0 ? 'convertSeveral' : null,
    trios: able.map(({ trio }) => trio),
    check: pendingTrio?.check ?? fine,
    hint:
      able.length === 0
        ? trios.length === 0
          ? 'No three of these files belong together by their names.'
          : 'None of these matrices can be converted.'
        : able.length === 1
          ? `One matrix is complete: ${names}.`
          : `${able.length} matrices are complete: ${names}. Each becomes a file; you can then combine these as samples.`,
    left: [...left, ...unable.map(({ trio, check }) => `${titleOf(trio)}: ${check.text}`)],
    doubts: able.flatMap(({ trio }) => {
      const doubt = doubtAbout(trio.files, context.byName);
      return doubt === null ? [] : [[`${titleOf(trio)}: ${doubt.reason}`]];
    }),
  };
}

export function titleOf({ sample, files }: Trio): string {
  return sample || shownName(files[0]!);
}

const words = { 'matrix.mtx': 'matrix', 'barcodes.tsv': 'barcodes', 'features.tsv': 'features' } as const;
const parts = Object.keys(words) as (keyof typeof words)[];

export function groupTrios(files: readonly UserFile[]): { trios: Trio[]; left: string[] } {
  const trios: Trio[] = [];
  const left: string[] = [];
  const bySample = Map.groupBy(files, (file) => partOfSample(file)?.sample.toLowerCase());
  for (const [key, own] of bySample) {
    if (key === undefined) {
      left.push(
        `${nameList(own.map(shownName))}: the name does not end in matrix, barcodes or features, so its other files are unknown. Select only the three files of one matrix.`,
      );
      continue;
    }
    const { sample } = partOfSample(own[0]!)!;
    const byPart = Map.groupBy(own, (file) => partOfSample(file)!.part);
    const missing = parts.filter((part) => !byPart.has(part)).map((part) => words[part]);
    const several = [...byPart.values()].filter(({ length }) => length > 1);
    if (several.length > 0) {
      left.push(
        `Several files have the same name, so it is unclear which belong together: ${nameList(several.map(([first]) => shownName(first!)))}. Select only the three files of one matrix.`,
      );
    } else if (missing.length > 0) {
      left.push(`${sample || shownName(own[0]!)}: ${missing.join(' and ')} missing.`);
    } else trios.push({ sample, files: own });
  }
  return {
    trios: trios.toSorted((a, b) => a.sample.localeCompare(b.sample, 'en', { numeric: true })),
    left,
  };
}

function judge(files: readonly UserFile[], { states, allowed }: Known): TrioCheck {
  if (!allowed) return notAllowed;
  if (states === undefined) return fine;
  const fileStates = files.map(({ id, original_filename }) => ({
    name: original_filename,
    state: states.get(id),
  }));
  if (fileStates.some(({ state }) => state?.converting)) {
    return { state: 'busy', text: 'One of these files is being converted already.' };
  }
  return checkTrio(
    fileStates.map(({ name, state }) => ({
      name,
      report: state?.report ?? null,
      failed: Boolean(state?.problem),
    })),
  );
}
