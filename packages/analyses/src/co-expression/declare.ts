import { countText, listedNames, percentText, plural, pluralWord } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  count,
  declareAnalysis,
  type FactTable,
  figure,
  number,
  type OfferedFigure,
  pValue,
  share,
  text,
} from '../declare.ts';
import { graph, graphText } from '../fields.ts';
import { field } from '../form.ts';
import { enrichmentOf } from '../gene-sets.ts';

/** The input of the figures: genes whose pairs were correlated, and their modules. */
export interface CoExpressionFigure {
  /** By module, genes without one last. */
  readonly genes: readonly {
    readonly gene: string;
    /** From 1; 0 for none. */
    readonly module: number;
    /** Mean local correlation with the other genes of the module; NaN for genes without one. */
    readonly withinModule: number;
  }[];
  /** Local correlations in gene order, in standard deviations, row-major; 0 on the diagonal. */
  readonly scores: Float32Array;
  readonly modules: readonly {
    readonly name: string;
    readonly size: number;
    /** Genes with the highest mean local correlation within the module, in descending order. */
    readonly hubs: readonly string[];
  }[];
  /** Clusters with a lower mean local correlation were not joined. */
  readonly threshold: number;
  /** Numbers of analysed cells, tested genes and passing genes. */
  readonly cells: number;
  readonly tested: number;
  readonly passing: number;
}

/** Limits of cautions, of which the texts repeat the numbers. */
export const limits = {
  /** Spearman correlation with the cells' totals above which a module follows sequencing depth. */
  depth: 0.5,
  /** Share of the variance of a module's score between samples above which the module follows samples. */
  samples: 0.3,
  /** Share of ribosomal or mitochondrial genes above which a module is labelled as one of these. */
  ofKind: 0.3,
} as const;
const maxNamesListed = 5;
const hubsListed = 8;
const maxNext = 6;
/** Time grows with the square of their number. */
const maxPairedGenes = 500;

const integer = z.number().int();
const geneModule = z.object({
  name: z.string(),
  genes: z
    .array(z.string())
    .describe('By mean local correlation within the module, highest first: the first are its hub genes.'),
  depth_correlation: z
    .number()
    .nullable()
    .describe(
      'Spearman’s correlation of the score of the module with the totals of the cells; `null` where it has no score.',
    ),
  samples_share: z
    .number()
    .nullable()
    .describe(
      'Share of the variance of its score between samples (eta squared); `null` where fewer than two are known.',
    ),
  mitochondrial_share: z.number().describe('Share of its genes.'),
  ribosomal_share: z.number(),
});
type GeneModule = z.output<typeof geneModule>;

const result = z.object({
  model: z.string().describe('Description of the model of expected values.'),
  neighbors: z.string().describe('Where the graph of nearest cells comes from, in words.'),
  cells: z
    .object({
      analysed: integer,
      without_components: integer.describe('Active cells without principal components.'),
    })
    .describe('Numbers of cells.'),
  genes: z
    .object({
      tested: integer,
      passing: integer.describe('Genes with an adjusted p below the limit.'),
      paired: integer.describe('Those of them whose pairs were correlated.'),
    })
    .describe('Numbers of genes.'),
  shuffled: z
    .object({
      genes: integer.describe('Genes tested so, 200 at most.'),
      shuffles: integer.describe('Times that their values were shuffled, with a fixed seed.'),
      deviation: z.number().describe('Standard deviation of z.'),
      below: z.number().describe('Share of the p-values below 0.05.'),
      below_as_normal: z.number().describe('The same if z is assumed normal, as Hotspot does.'),
    })
    .nullable()
    .describe('Tests of some genes with their values shuffled over the cells; `null` where none was tested.'),
  threshold: z
    .number()
    .describe(
      'Clusters of genes of a lower mean local correlation, in standard deviations, were not joined.',
    ),
  modules: z.array(geneModule).describe('The largest first.'),
  samples: z.string().nullable().describe('Column of obs; `null` where none is known.'),
});
type Result = z.output<typeof result>;

/** Finds modules of genes that vary together over neighbouring cells, as Hotspot does (DeTomaso and Yosef 2021). */
export const coExpression = declareAnalysis({
  id: 'co-expression',
  title: 'Co-Expression Analysis',
  task: 'interact',
  question: 'Which genes vary together?',
  searchWords: 'modules correlated genes',
  questionPhrases: [
    'module',
    'co expression',
    'coexpression',
    'co expressed',
    'coexpressed',
    'vary together',
    'gene program',
  ],
  icon: 'waypoints',
  summary: 'Find modules of genes that vary together over neighboring cells',
  path: '/api/perform-co-expression-analysis',
  fields: { table: 'genes', figure: 'figure' },
  file: 'co_expression_genes',
  about:
    'Genes with similar expression in neighboring cells are correlated over neighborhoods and grouped into modules (Hotspot). Up to 200,000 active cells.',
  request: z.object({
    model: field(
      z
        .enum(['danb', 'normal'])
        .optional()
        .describe(
          'What values are expected to be from the depth of each cell: `danb`, a negative binomial of raw counts, or `normal`, a regression of the expression values; absent for `danb` where the dataset has raw counts, else `normal`.',
        ),
      {
        label: 'Values',
        empty: 'Raw counts, if available',
        choices: { danb: ['Raw counts, negative binomial'], normal: ['Expression values, normal'] },
      },
    ),
    graph,
    min_module_genes: field(
      integer.min(5).max(100).default(15).meta({
        title: 'Min. Module Genes',
        description: 'Minimum number of genes in a module.',
      }),
      { step: 1 },
    ),
    max_genes: field(
      integer.min(20).max(maxPairedGenes).default(maxPairedGenes).meta({
        title: 'Max. Genes',
        description: 'Genes whose pairs are correlated: those that pass, with the highest Z.',
      }),
      { step: 10 },
    ),
    n_neighbors: field(
      integer.min(5).max(100).default(30).meta({
        title: 'Neighbors',
        description: 'Nearest other cells per cell in a computed graph.',
      }),
      { step: 1 },
    ),
    min_cells: field(
      integer.min(1).max(10_000).default(10).meta({
        title: 'Min. Cells',
        description: 'Genes with a value other than 0 in fewer cells are not tested.',
      }),
      { step: 1 },
    ),
    fdr: field(
      z.number().min(1e-10).max(0.5).default(0.05).meta({
        title: 'FDR',
        description:
          'Limit of the adjusted p-values of genes, and of those of pairs that modules are cut by.',
      }),
      { step: 0.01 },
    ),
  }),
  result,
  table: {
    group: text(
      'Module',
      '"none" for a gene that was correlated and is in no module, empty for one that was not',
    ),
    names: text('Gene'),
    c: number('Local autocorrelation', 'local autocorrelation, from -1 to 1'),
    z: number('Z', 'of c, in standard deviations, as Hotspot has it'),
    skewness: number('Skewness of Z by chance', 'of z where the values of the gene are at other cells'),
    pvals: pValue(
      'P-value',
      "one-sided, of a gamma distribution (Pearson's type III) with that skewness; Hotspot assumes that z is normal",
    ),
    pvals_adj: pValue('Adjusted p-value', 'adjusted by Benjamini and Hochberg over the tested genes'),
    module_z: number('Z within module', 'mean local correlation with the other genes of the module'),
    pct_nz: share('Expressing', 'share of cells with a value other than 0'),
  },
  rows: { one: 'gene', many: 'genes', order: 'the highest Z first' },
  figure: figure<CoExpressionFigure>('module-heatmap', 'Module Heatmap'),
  cautions: {
    'module-follows-depth': (_: { modules: number; largest: number }, { request, result: { modules } }) =>
      `Modules that follow the ${request.model === 'danb' ? 'total counts' : 'summed expression'} of the cells (Spearman): ${namesOf(modules, ({ depth_correlation: value }) => value, limits.depth, correlationText)}. They probably show sequencing depth or cell size: do not interpret them as gene programs.`,
    'module-follows-samples': (
      { column }: { column: string; modules: number; largestShare: number },
      { result: { modules } },
    ) =>
      `Modules that follow the samples of ${columnTitle(column)} (eta squared): ${namesOf(modules, ({ samples_share: value }) => value, limits.samples, percentText)}. They probably show samples or batches: analyze one sample separately.`,
    'mitochondrial-module': (_: { modules: number; largestShare: number }, { result: { modules } }) =>
      `Modules with many mitochondrial genes: ${namesOf(modules, (one) => one.mitochondrial_share, limits.ofKind, percentText)}. These are rarely gene programs: damaged or stressed cells have more of them. Ignore them.`,
    'ribosomal-module': (_: { modules: number; largestShare: number }, { result: { modules } }) =>
      `Modules with many ribosomal genes: ${namesOf(modules, (one) => one.ribosomal_share, limits.ofKind, percentText)}. These are rarely gene programs: they vary with depth and growth in most cells. Ignore them.`,
    'few-cells': ({ cells }: { cells: number }) =>
      `${countText(cells)} cells are few for modules: a few different cells could change them. Use more cells, or confirm them in others.`,
    'graph-of-same-data': ({ tested, cells }: { tested: number; cells: number }) =>
      `Use the p-values to rank the ${countText(tested)} genes, not as evidence that other samples have these modules: the graph of nearest cells comes from the same expression (X_pca), and each of ${countText(cells)} cells counts as a replicate.`,
    'p-values-too-small': ({ genes, shuffles, below }: { genes: number; shuffles: number; below: number }) =>
      `P-values are too small, mostly for genes that few cells express: with values shuffled over the cells ${shuffles} times, ${percentText(below)} of those of ${countText(genes)} genes are below 0.05 instead of 5 %. Raise Min. Cells.`,
    'genes-not-paired': (
      { passing, paired }: { passing: number; paired: number },
      { request, result: { cells } },
    ) =>
      `Of ${countText(passing)} genes with local autocorrelation only the ${countText(paired)} with the highest Z were correlated; the others are in no module. ${paired < request.max_genes ? `Choose fewer than ${countText(cells.analysed)} cells` : 'Raise the maximum number of genes'} to include more.`,
    'model-of-expression': ({ tested }: { tested: number }) =>
      `P-values of genes that few cells express are too small: the ${countText(tested)} genes were tested by a normal model of expression, not of raw counts. Prefer genes that many cells express.`,
    'cells-without-components': ({ without }: { without: number }) =>
      `${plural(without, 'active cell has', 'active cells have')} no principal components, probably because quality control removed ${pluralWord(without, 'it', 'them')}, and ${pluralWord(without, 'is', 'are')} left out. Process the dataset again to include ${pluralWord(without, 'it', 'them')}.`,
  },
  headline: ['found', 'passing', 'cells'],
  describe({ min_module_genes, max_genes, n_neighbors, fdr, graph: chosen }, result) {
    if (result === undefined) {
      const how = `FDR ${fdr}, ${graphText(chosen, n_neighbors)}, pairs of at most ${max_genes} genes`;
      return [`modules of ${min_module_genes} genes or more`, how];
    }
    const { modules, genes } = result;
    return [
      'co-expression',
      `${plural(modules.length, 'module')} among ${plural(genes.paired, 'gene')} that were paired, of ${countText(genes.passing)} with local autocorrelation, FDR ${fdr}`,
    ];
  },
  groups: ({ modules }) => modules,
  nothing({ fdr, min_module_genes: fewest }, { modules, genes }) {
    if (modules.length > 0) return undefined;
    const why =
      genes.passing === 0
        ? `None of ${plural(genes.tested, 'gene')} has similar expression in neighboring cells with an adjusted p-value below ${fdr}.`
        : `${plural(genes.passing, 'gene')} of ${countText(genes.tested)} have similar expression in neighboring cells, but no ${fewest} of them vary together. Lower Min. Module Genes to find smaller modules.`;
    return { title: 'No Modules Found', text: `${why} The table has all genes.` };
  },
  tables: (result) => (result.modules.length === 0 ? [] : [moduleTable(result)]),
  offered: {
    title: 'Module Figures',
    figures(request, { modules }) {
      const about = `, ${plural(modules.length, 'module')}`;
      return [
        figureOf('module-heatmap', 'Heatmap of the modules', 'heatmap'),
        figureOf('gene-network', 'Network of genes', 'network'),
        ...modules.map(({ name, genes }): OfferedFigure => {
          const content = { kind: 'score-umap', of: 'signature', score_name: name, genes };
          return {
            label: `${name} on the map`,
            word: 'map of the score',
            file: `${name.toLowerCase().replaceAll(' ', '_')}_map`,
            group: name,
            content,
            about: `, score of ${genes.length} genes`,
          };
        }),
      ];
      function figureOf(kind: string, label: string, word: string): OfferedFigure {
        return { label, word, file: kind.replaceAll('-', '_'), content: { ...request, kind }, about };
      }
    },
  },
  next({ modules }, { group, textsWith }) {
    const shown = modules.filter(({ name }) => group === '' || name === group).slice(0, maxNext);
    const tested = shown.length === 0 ? [] : textsWith('names', 'z');
    return shown.map(({ name, genes }) =>
      enrichmentOf(genes, tested, {
        label: `Enrichment of ${name}`,
        title: `Gene sets among the ${plural(genes.length, 'gene')} of ${name}, against the ${plural(tested.length, 'gene')} that were tested`,
      }),
    );
  },
});

export type CoExpressionRequest = z.output<typeof coExpression.request>;
export type CoExpressionResult = Result;

function moduleTable({ modules, samples }: Result): FactTable {
  const ofSamples = samples !== null;
  return {
    title: 'Modules',
    columns: [
      text('Module'),
      count('Genes'),
      { title: 'Hub genes', kind: 'genes' },
      number('Correlation with depth'),
      ...(ofSamples ? [share('Between samples')] : []),
      share('Mitochondrial'),
      share('Ribosomal'),
    ],
    rows: modules.map((one) => [
      one.name,
      one.genes.length,
      one.genes.slice(0, hubsListed).join(', '),
      one.depth_correlation,
      ...(ofSamples ? [one.samples_share] : []),
      one.mitochondrial_share,
      one.ribosomal_share,
    ]),
  };
}

/** The first of the modules at or above a limit, each with its value. */
function namesOf(
  modules: readonly GeneModule[],
  valueOf: (one: GeneModule) => number | null,
  limit: number,
  textOf: (value: number) => string,
): string {
  const names = modules.flatMap((one) => {
    const value = valueOf(one);
    return value !== null && Math.abs(value) >= limit ? [`${one.name} (${textOf(value)})`] : [];
  });
  return listedNames(names, maxNamesListed);
}

function correlationText(value: number): string {
  return value.toFixed(2).replace('-', '−');
}
