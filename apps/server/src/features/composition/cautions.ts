import type { CompositionParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { unassignedCautions } from '../markers/index.ts';
import { type DesignedPart, designCautions } from '../comparisons/index.ts';
import type { TestedComposition, TestedCategory } from './tasks.ts';
import { falseShare } from '../../runtime/p-value-cautions.ts';
import type { Selection, SubsetFilter } from '../selection/index.ts';

export interface Composition {
  parameters: CompositionParameters;
  by: string;
  samples: SampleColumn;
  part: DesignedPart;
  tested: Extract<TestedComposition, { categories: readonly unknown[] }>;
  cautions: readonly Caution[];
}

const maxNamesListed = 5;
/** Shares of categories with fewer cells, over all samples, are mostly chance. */
const rareCells = 20;

/** Limits of a test of composition that apply, each with its figures. */
export function compositionCautions(
  { manifest: { roles } }: Selection,
  { parameters, by, samples, part, tested }: Omit<Composition, 'cautions'>,
  unlabelled: {
    samples: number;
    categories: number;
    unassigned: readonly { name: string; cells: number }[];
  },
): Caution[] {
  const { a, b, min_sample_cells: least, transform, pvals_adj: limit } = parameters;
  const sets = [{ side: 'A', set: a }, ...(b ? [{ side: 'B', set: b }] : [])];
  const sidesOf = (isSo: (filter: SubsetFilter) => boolean) =>
    sets.filter(({ set }) => isSo(set.filter)).map(({ side }) => side);
  const ofCategories = sidesOf((filter) => {
    const fields = filter.patient_metadata_filter ? Object.keys(filter.patient_metadata ?? {}) : [];
    const columns = fields.map((field) => new Map(Object.entries(roles.metadata)).get(field) ?? field);
    return columns.includes(by) || (filter.cell_type_filter === true && by === roles.cellType);
  });
  const ofCells = sidesOf(
    ({ cells_filter: cells, gene_filter: gene, signature_filter: signature }) =>
      cells === true || gene === true || signature === true,
  );
  return [
    ...nestingCautions(samples),
    ...ofOwnCells(ofCategories, ofCells, by),
    ...designCautions([part], {
      least,
      unlabelled: unlabelled.samples,
      sampleColumn: samples.column,
    }),
    ...rare(tested.categories, part.sums.length, transform),
    ...withoutCategory(unlabelled.categories, by),
    ...unassignedCautions(unlabelled.unassigned, {
      column: columnTitle(by),
      isLeftOut: parameters.unassigned === 'left-out',
      otherwise: 'categories like the others, and every share is of all',
    }),
    sharesAddUp(),
    {
      code: 'multiple-testing',
      message: `${countText(tested.categories.length)} categories were tested; p-values are adjusted by Benjamini and Hochberg over them. ${falseShare('categories', limit)}`,
      numbers: { tests: tested.categories.length },
    },
  ];
}

function ofOwnCells(ofCategories: readonly string[], ofCells: readonly string[], by: string): Caution[] {
  const opening = (sides: readonly string[]) =>
    `${sides.join(' and ')} ${pluralWord(sides.length, 'is', 'are')} made of`;
  const sets: Caution[] = [];
  if (ofCategories.length > 0) {
    sets.push({
      code: 'sets-of-categories',
      message: `${opening(ofCategories)} categories of ${by}, whose shares are compared: the shares follow from this choice. Choose sets by a property of samples, such as treatment.`,
      numbers: { sides: [...ofCategories] },
    });
  }
  if (ofCells.length > 0) {
    sets.push({
      code: 'sets-of-chosen-cells',
      message: `${opening(ofCells)} cells chosen individually, on a map or by expression: their categories follow from this choice. Choose sets by a property of samples, such as treatment.`,
      numbers: { sides: [...ofCells] },
    });
  }
  return sets;
}

function rare(
  categories: readonly TestedCategory[],
  samples: number,
  transform: Composition['parameters']['transform'],
): Caution[] {
  const rareCategories = categories.filter(
    ({ cellsA, cellsB, shares }) =>
      cellsA + cellsB < rareCells || 2 * shares.filter((share) => share === 0).length >= samples,
  );
  if (rareCategories.length === 0) return [];
  const words = rareCategories.map(
    ({ name, cellsA, cellsB }) => `${name} (${countText(cellsA + cellsB)} cells)`,
  );
  return [
    {
      code: 'rare-categories',
      message: `With fewer than ${rareCells} cells, or absent from at least half of the samples: ${listedNames(words, maxNamesListed)}. Their shares are mostly chance: merge them${transform === 'logit' ? ', or use the arcsine test' : ''}.`,
      numbers: {
        limit: rareCells,
        categories: rareCategories.slice(0, maxNamesListed).map(({ name }) => name),
        cells: rareCategories.slice(0, maxNamesListed).map(({ cellsA, cellsB }) => cellsA + cellsB),
        categoryCount: rareCategories.length,
      },
    },
  ];
}

function withoutCategory(unlabelled: number, by: string): Caution[] {
  if (unlabelled === 0) return [];
  return [
    {
      code: 'unlabelled-cells',
      message: `${plural(unlabelled, 'cell of A or B has', 'cells of A or B have')} no value in ${by} and ${pluralWord(unlabelled, 'counts', 'count')} in no share: label them to include them.`,
      numbers: { unlabelled },
    },
  ];
}

function sharesAddUp(): Caution {
  return {
    code: 'shares-add-up',
    message:
      'The shares of a sample add up to 1: if one category grows, others shrink even if their cell numbers are unchanged. A dataset does not measure cell numbers in the tissue.',
  };
}
