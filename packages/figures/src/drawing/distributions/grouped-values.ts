import type { CategoricalColumn, CellMask, GeneColumn } from '@cellfolio/model';
import { countCategories } from '../checked-input.ts';
import type { GroupedValues } from './violin-groups.ts';

/** Stored values of each group's cells, gathered in one buffer by counting; the rest are zeros. */
export function geneByGroup(
  gene: GeneColumn,
  column: CategoricalColumn,
  mask?: CellMask,
): GroupedValues & { expressingOf: (code: number) => number } {
  const { cells, values } = gene;
  const { codes } = column;
  const groupCount = column.categories.length;
  const bits = mask?.bits;
  const counts = new Uint32Array(groupCount);
  const expressing = new Uint32Array(groupCount);
  const { perCategory: zeros } = countCategories(column, mask);
  // Stored zeros count as zeros, so that they are not sorted with the rest.
  const groupOf = (i: number): number => {
    const cell = cells[i]!;
    const code = codes[cell]!;
    const isOut = code < 0 || code >= groupCount || (bits !== undefined && bits[cell] !== 1);
    return isOut || values[i] === 0 ? -1 : code;
  };
  for (let i = 0; i < values.length; i++) {
    const group = groupOf(i);
    if (group < 0) continue;
    zeros[group]!--;
    if (!Number.isFinite(values[i]!)) continue;
    counts[group]!++;
    if (values[i]! > 0) expressing[group]!++;
  }
  const starts = new Uint32Array(groupCount + 1);
  for (let group = 0; group < groupCount; group++) starts[group + 1] = starts[group]! + counts[group]!;
  const gathered = new Float32Array(starts[groupCount]!);
  const next = starts.slice();
  for (let i = 0; i < values.length; i++) {
    const group = groupOf(i);
    if (group >= 0 && Number.isFinite(values[i]!)) gathered[next[group]!++] = values[i]!;
  }
  return {
    valuesOf: (code) => gathered.subarray(starts[code]!, starts[code + 1]!),
    zerosOf: (code) => zeros[code]!,
    expressingOf: (code) => expressing[code]!,
  };
}

/** Finite scores of each group's cells, gathered in one buffer by counting. */
export function scoresByGroup(
  scores: Float64Array,
  column: CategoricalColumn,
  mask?: CellMask,
): GroupedValues & { scored: number; notScored: number } {
  const { codes } = column;
  const groupCount = column.categories.length;
  const bits = mask?.bits;
  const starts = new Uint32Array(groupCount + 1);
  let notScored = 0;
  for (let cell = 0; cell < scores.length; cell++) {
    const code = codes[cell]!;
    if (code < 0 || code >= groupCount || (bits !== undefined && bits[cell] !== 1)) continue;
    if (Number.isFinite(scores[cell]!)) starts[code + 1]!++;
    else notScored++;
  }
  for (let group = 0; group < groupCount; group++) starts[group + 1]! += starts[group]!;
  const scored = starts[groupCount]!;
  const gathered = new Float64Array(scored);
  const next = starts.slice();
  for (let cell = 0; cell < scores.length; cell++) {
    const code = codes[cell]!;
    if (code < 0 || code >= groupCount || (bits !== undefined && bits[cell] !== 1)) continue;
    if (Number.isFinite(scores[cell]!)) gathered[next[code]!++] = scores[cell]!;
  }
  return {
    valuesOf: (code) => gathered.subarray(starts[code]!, starts[code + 1]!),
    zerosOf: () => 0,
    scored,
    notScored,
  };
}
