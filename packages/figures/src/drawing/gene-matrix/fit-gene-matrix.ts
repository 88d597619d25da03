import { countText } from '@cellfolio/model';
import { fittedWith } from '../minimum-size.ts';
import { bracketHead } from './bracket-names.ts';
import { runGap, runsOf } from './gene-bands.ts';
import { type FittedLayout, fittedGeneMatrixLayout } from './fitted-layout.ts';
import { columnLimits, minRow, roomsOf } from './fitted-rooms.ts';
import { treeOfRows } from './group-tree.ts';
import { bareTop } from './layout.ts';
import { cellsText, type GeneMatrixSpec, limitGeneMatrix, matrixNouns } from './spec.ts';

/**
 * Groups and genes of a dot plot that fit a size: the largest groups with room for a row, and of each as many of its
 * first genes as have room for a column. Genes of a heatmap stay even if there is no room for their symbols.
 */
export function fitGeneMatrix(
  spec: GeneMatrixSpec,
  size: GeneMatrixSpec['size'],
): { spec: GeneMatrixSpec; isWhole: boolean } {
  const fitted = { leftOut: '' };
  const whole = { ...spec, size, fitted };
  // Without a gene there is a sentence, which leaves nothing out.
  if (spec.genes.length === 0) return { spec: whole, isWhole: true };
  const { rowRoom, columnRoom } = roomsOf(whole);
  const brackets = runsOf(spec.genes).length;
  const limited = limitGeneMatrix(spec.groups, spec.genes, {
    groups: rowsThatFit(whole, rowRoom),
    genes: (groups) => {
      const gaps = runGap * Math.max(0, Math.min(brackets, groups) - 1);
      return Math.max(1, Math.floor((columnRoom - gaps) / columnLimits(spec)[0]));
    },
  });
  const places = limited.groups.flatMap((group) =>
    limited.genes.map((gene) => group * spec.genes.length + gene),
  );
  const { row, column } = matrixNouns(spec);
  const left = [
    ...part(limited.genes.length, spec.genes.length, `${column}s`),
    ...part(limited.groups.length, spec.groups.length, `${row}s`),
  ].join(' and ');
  const fittedSpec: GeneMatrixSpec = {
    ...whole,
    fitted: { leftOut: left },
    groups: limited.groups.map((i) => spec.groups[i]!),
    genes: limited.genes.map((i) => spec.genes[i]!),
    mean: places.map((place) => spec.mean[place]!),
    fraction: places.map((place) => spec.fraction[place]!),
    ...(spec.dendrogram && {
      dendrogram: { ...spec.dendrogram, merges: treeOfRows(spec.dendrogram.merges, limited.groups) },
    }),
    ...(spec.byDataset && {
      byDataset: { ...spec.byDataset, cells: places.map((place) => spec.byDataset!.cells[place]!) },
    }),
    ...(spec.cells && {
      cells: {
        ...spec.cells,
        shown: limited.groups.map((i) => spec.cells!.shown[i]!),
        levels: places.map((place) => spec.cells!.levels[place]!),
      },
    }),
    ...(spec.violins && {
      violins: { ...spec.violins, shapes: places.map((place) => spec.violins!.shapes[place]!) },
    }),
  };
  const layout = fittedGeneMatrixLayout(fittedSpec);
  const names = namesText(fittedSpec, layout);
  const leftOut = [left, names].filter(Boolean).join(', ');
  // Genes and groups are counted once; that the cells are a part of all has to be said in any room.
  const [, ...notes] = spec.summary.split(' · ');
  const summary = [cellsText(fittedSpec.groups, fittedSpec.cells), ...notes].join(' · ');
  return {
    spec: {
      ...fittedSpec,
      ...(names !== '' && { summary }),
      fitted: fittedWith(leftOut, {
        'the legend': layout.legend.place !== 'none',
        'the counts of cells': layout.hasCounts,
      }),
    },
    isWhole: left === '' && layout.unnamed === 0,
  };
}

function rowsThatFit({ groups, genes }: GeneMatrixSpec, room: number): number {
  const rows = Math.floor(room / minRow);
  const head = genes.some(({ bracket }) => bracket !== null) ? bracketHead - bareTop : 0;
  return Math.max(1, rows >= groups.length ? rows : Math.floor((room - head) / minRow));
}

function namesText(spec: GeneMatrixSpec, { symbolEvery, unnamed }: FittedLayout): string {
  const named = runsOf(spec.genes).reduce((sum, { count }) => sum + Math.ceil(count / symbolEvery), 0);
  const parts = [
    ...(symbolEvery > 1 ? [`${countText(named)} of ${countText(spec.genes.length)} genes`] : []),
    ...(unnamed > 0 ? [`0 of ${countText(unnamed)} brackets`] : []),
  ];
  return parts.length === 0 ? '' : `names of ${parts.join(' and ')}`;
}

function part(shown: number, all: number, noun: string): string[] {
  return shown < all ? [`${countText(shown)} of ${countText(all)} ${noun}`] : [];
}
