import { countText, type CategoricalColumn, type CellMask, type Embedding } from '@cellfolio/model';
import { MISSING_GREY } from '../drawing/colour/category-colours.ts';
import { OUTSIDE_GREY } from '../drawing/colour/expression-ramp.ts';
import type { CategoryUmapFigure } from '../drawing/figure.ts';
import { legendGroups, restText } from '../drawing/legend-groups.ts';
import { categoryLegend } from '../drawing/scene/category-umap-scene.ts';
import { legendLayout } from '../drawing/scene/legend-layout.ts';
import { scatterFrame } from '../drawing/scatter-frame.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';

export interface CategoryUmapInput {
  readonly embedding: Embedding;
  readonly column: CategoricalColumn;
  readonly title: string;
  readonly datasetName: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  readonly mask?: CellMask;
  /** `cell-type` gives the ten known cell types their fixed colours; `cluster` otherwise. */
  readonly palette?: 'cell-type' | 'cluster';
}

/**
 * A categorical column on an embedding, with a legend that counts. A category keeps its colour in every
 * subset. Throws FigureInputError where the columns do not describe the same cells.
 */
export function categoryUmapFigure(input: CategoryUmapInput): CategoryUmapFigure {
  const { embedding, column, mask } = input;
  const frame = scatterFrame(embedding, column.codes.length, mask);
  const { perCategory, missing } = countCategories(column, mask);
  const { groups, rest } = legendGroups(
    column.categories,
    { chosen: [...perCategory.keys()], perCategory },
    input.palette,
  );
  const shown = perCategory.reduce((count, cells) => (cells > 0 ? count + 1 : count), 0);
  const { cells, withoutPosition } = frame.counts;
  const summary = [
    `${countText(cells)} ${cells === 1 ? 'cell' : 'cells'}`,
    `${countText(shown)} ${shown === 1 ? 'group' : 'groups'}`,
    ...restText(rest, groups.length),
    ...(withoutPosition > 0 ? [`${countText(withoutPosition)} without coordinates`] : []),
  ].join(' · ');
  const parts = {
    version: 1,
    kind: 'category-umap',
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    summary,
    ...frame,
    groups,
    ...(rest && { rest }),
    missing,
    colours: { missing: MISSING_GREY, outside: OUTSIDE_GREY },
  } as const;
  return {
    spec: { ...parts, size: legendLayout(categoryLegend(parts)).size },
    columns: { embedding, column, ...(mask && { mask }) },
  };
}

/** Cells of each category and without one, among those of the mask. */
export function countCategories(
  column: CategoricalColumn,
  mask?: CellMask,
): { perCategory: Uint32Array; missing: number } {
  const { codes, categories } = column;
  const perCategory = new Uint32Array(categories.length);
  const bits = mask?.bits;
  let missing = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    if (bits !== undefined && bits[cell] !== 1) continue;
    const code = codes[cell]!;
    if (code >= 0 && code < perCategory.length) perCategory[code]!++;
    else missing++;
  }
  return { perCategory, missing };
}
