import { embeddingTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { plural } from '@cellfolio/model';
import {
  cells,
  common,
  comparable,
  count,
  group,
  groupName,
  inUnit,
  list,
  listed,
  named,
  number,
  percent,
  plotWords,
  smallGroups,
  text,
  value,
  whole,
} from '../plot-words.ts';

/** Order of the rows: each merge is two nodes, rows first, and their distance. */
const dendrogram = z.object({
  embedding: text.optional(),
  dimensions: count,
  merges: z.array(z.tuple([count, count, z.number()])).max(1000),
});

function treeWords(
  { embedding, dimensions, merges }: z.output<typeof dendrogram>,
  groups: readonly { label: string }[],
): string {
  const of =
    embedding === undefined
      ? `the ${whole(dimensions)} genes shown, as the dataset has no principal components`
      : `${componentsText(dimensions, embedding)}, as scanpy does where a dataset has them`;
  const [one, other, height] = merges[0] ?? [0, 0, 0];
  const [first, second] = [groups[one], groups[other]];
  const nearest =
    first === undefined || second === undefined
      ? ''
      : ` ${first.label} and ${second.label} are nearest to each other (r = ${value(1 - height)}).`;
  return `Rows are in the order of a dendrogram: complete linkage of 1 − Pearson's r between the means of the groups in ${of}.${nearest}`;
}

function componentsText(dimensions: number, embedding: string): string {
  const title = embeddingTitle(embedding);
  return title.startsWith('principal components')
    ? `the ${whole(dimensions)} ${title}`
    : `the ${whole(dimensions)} components of ${title}`;
}

interface GeneInGroup {
  symbol: string;
  group: string;
  cells: number;
  mean: number;
  fraction: number;
}

const drawnAs = {
  dots: (what: string, of: string) =>
    `The dots show ${what}: size is the share of cells that express a gene, color its ${of} over all cells of the group.`,
  tiles: (what: string, of: string) =>
    `The tiles show ${what}: color is the ${of} over all cells of the group.`,
  violins: (what: string, _: string, values: string) => `The violins show ${values} of ${what}.`,
  cells: (what: string, _: string, values: string) =>
    `The heatmap shows ${values} of ${what}, each line one cell.`,
} as const;

/** The most prominent gene; scaled means are relative to each gene, so that only shares can be compared. */
function strongest(all: readonly GeneInGroup[], isScaled: boolean): string {
  const { sure, the } = comparable(all);
  const strongestGene = sure.reduce<GeneInGroup | undefined>(
    (best, one) =>
      best === undefined || (isScaled ? one.fraction > best.fraction : one.mean > best.mean) ? one : best,
    undefined,
  );
  if (strongestGene === undefined) return 'There is no gene in a group to compare.';
  if (all.every(({ fraction }) => fraction === 0))
    return 'No cell of these groups expresses any of these genes.';
  const measureText = (one: GeneInGroup) => (isScaled ? percent(one.fraction, 1) : value(one.mean));
  const tied = sure
    .filter((one) => measureText(one) === measureText(strongestGene))
    .map(({ symbol, group: of }) => `${symbol} in ${groupName(of)}`);
  if (tied.length > 1) {
    const which =
      tied.length > named
        ? `${listed(tied.slice(0, named))} and ${whole(tied.length - named)} more`
        : listed(tied);
    return `${the} ${isScaled ? 'largest share of expressing cells' : 'highest mean'} is ${measureText(strongestGene)}, the same for ${which}.`;
  }
  const share = `${percent(strongestGene.fraction, 1)} of ${cells(strongestGene.cells)}`;
  return isScaled
    ? `${the} gene that most cells of a group express is ${strongestGene.symbol}, in ${share} of ${groupName(strongestGene.group)}.`
    : `${the} highest mean is that of ${strongestGene.symbol} in ${groupName(strongestGene.group)}: ${value(strongestGene.mean)}, with ${share} expressing it.`;
}

function geneMatrixWords<Kind extends string>(kind: Kind, name: string, marks: keyof typeof drawnAs) {
  return plotWords({
    kind,
    name,
    numbers: z
      .object({
        kind: z.literal(kind),
        ...common,
        groupTitle: text,
        groups: list(group),
        genes: list(z.object({ symbol: text, bracket: text.nullable() })),
        mean: z.array(number).max(1_000_000),
        fraction: z.array(number).max(1_000_000),
        groupCount: count,
        geneCount: count,
        isScaled: z.boolean().optional().catch(undefined),
        unit: text.optional().catch(undefined),
        sides: text.optional().catch(undefined),
        cells: z
          .object({ shown: list(count) })
          .optional()
          .catch(undefined),
        dendrogram: dendrogram.optional().catch(undefined),
      })
      .refine(
        ({ groups, genes, mean, fraction }) =>
          mean.length === groups.length * genes.length && fraction.length === mean.length,
      ),
    sentences: ({ groups, genes, mean, fraction, groupCount, geneCount, cautions, ...rest }) => {
      const { dendrogram: tree, groupTitle, isScaled = false, unit = '', cells: lines, sides } = rest;
      const all = groups.flatMap((group, row) =>
        genes.flatMap(({ symbol, bracket }, column): GeneInGroup[] => {
          const place = row * genes.length + column;
          const dot = { mean: mean[place] ?? null, fraction: fraction[place] ?? null };
          // A marker is said with the group that it marks.
          const isOwn = kind !== 'dot-plot' || bracket === null || bracket === group.label;
          if (!isOwn || dot.mean === null || dot.fraction === null) return [];
          return [{ symbol, group: group.label, cells: group.cells, mean: dot.mean, fraction: dot.fraction }];
        }),
      );
      const rows = groups.slice(0, 20).map(({ label }) => {
        const ranked = all
          .filter((one) => one.group === label)
          .toSorted((a, b) => b.mean - a.mean)
          .slice(0, 3)
          .map(
            (one) =>
              `${one.symbol} (mean ${value(one.mean)}, expressed by ${percent(one.fraction, 1)} of its cells)`,
          );
        return ranked.length > 0 ? `${label}: ${listed(ranked)}.` : '';
      });
      const [hiddenGroups, hiddenGenes] = [groupCount - groups.length, geneCount - genes.length];
      const ofCells = groups.reduce((sum, one) => sum + one.cells, 0);
      const shown = lines?.shown.reduce((sum, one) => sum + one, 0) ?? ofCells;
      const what = `${plural(genes.length, 'gene')} in ${plural(groups.length, 'group')} by ${groupTitle} (${sides === undefined ? '' : `${sides}; `}${shown < ofCells ? `${whole(shown)} of ${cells(ofCells)}` : cells(ofCells)})`;
      const values = isScaled ? 'expression, scaled from 0 to 1 within each gene,' : unit || 'the expression';
      const of = isScaled ? 'mean, scaled from 0 to 1 within each gene,' : `mean${inUnit(unit)}`;
      return {
        reading: [drawnAs[marks](what, of, values), strongest(all, isScaled)],
        more: [
          ...(tree ? [treeWords(tree, groups)] : []),
          ...(rows.some((row) => row !== '') ? ['Strongest in each group:'] : []),
          ...rows.filter((row) => row !== ''),
        ],
        cautions: [
          ...(hiddenGroups > 0 || hiddenGenes > 0
            ? [
                `The figure leaves out ${[
                  ...(hiddenGroups > 0 ? [plural(hiddenGroups, 'group')] : []),
                  ...(hiddenGenes > 0 ? [plural(hiddenGenes, 'gene')] : []),
                ].join(' and ')}.`,
              ]
            : []),
          ...(shown < ofCells ? ['The cells that are shown were drawn at random from each group.'] : []),
          // The result's own cautions name its small groups.
          ...(cautions ? [] : smallGroups(groups)),
        ],
      };
    },
    between: '\n',
    firstRows: ({ groups, genes, mean, fraction, ...rest }, rows) => ({
      ...rest,
      // Its merges are of all rows.
      dendrogram: undefined,
      groups: groups.slice(0, rows).map(({ label, cells }, row) => ({
        label,
        cells,
        genes: genes.slice(0, rows).map(({ symbol, bracket }, column) => ({
          symbol,
          listedUnder: bracket ?? undefined,
          mean: rounded(mean[row * genes.length + column] ?? null),
          fraction: rounded(fraction[row * genes.length + column] ?? null),
        })),
      })),
    }),
  });
}

export const dotPlotWords = geneMatrixWords('dot-plot', 'Dot plot of markers', 'dots');

function rounded(input: number | null): number | null {
  return input === null ? null : Number(input.toPrecision(3));
}

export const geneDotPlotWords = geneMatrixWords('gene-dot-plot', 'Dot plot', 'dots');

export const matrixPlotWords = geneMatrixWords('matrix-plot', 'Matrix plot', 'tiles');

export const heatmapWords = geneMatrixWords('heatmap', 'Heatmap', 'cells');

export const stackedViolinWords = geneMatrixWords('stacked-violin', 'Stacked violin plot', 'violins');

export const comparedDotsWords = geneMatrixWords('compared-dots', 'Dot plot', 'dots');
