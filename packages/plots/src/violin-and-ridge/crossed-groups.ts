import type { CategoricalColumn, CellMask } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';

/** Each part of each group as a separate category: `index of the group * parts + index of the part`. */
export function crossed(
  groups: CategoricalColumn,
  chosen: readonly number[],
  split: CategoricalColumn | undefined,
  parts: readonly number[],
): CategoricalColumn {
  if (split !== undefined && split.codes.length !== groups.codes.length) {
    throw new FigureInputError(
      'split',
      `the parts hold ${split.codes.length} cells, the groups ${groups.codes.length}`,
    );
  }
  const placeOf = placesIn(chosen, groups.categories.length);
  const partOf = placesIn(parts, split?.categories.length ?? 1);
  const codes = Int32Array.from(groups.codes, (group, cell) => {
    const place = placeOf[group] ?? -1;
    const part = partOf[split === undefined ? 0 : split.codes[cell]!] ?? -1;
    return place < 0 || part < 0 ? -1 : place * parts.length + part;
  });
  return { ...groups, codes, categories: new Array<string>(chosen.length * parts.length).fill('') };
}

function placesIn(shown: readonly number[], categories: number): Int32Array {
  const places = new Int32Array(categories).fill(-1);
  shown.forEach((code, place) => (places[code] = place));
  return places;
}

export function withoutPart(
  groups: CategoricalColumn,
  split: CategoricalColumn,
  mask: CellMask | undefined,
): number {
  let count = 0;
  for (let cell = 0; cell < groups.codes.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    if (groups.codes[cell]! >= 0 && split.codes[cell]! < 0) count++;
  }
  return count;
}
