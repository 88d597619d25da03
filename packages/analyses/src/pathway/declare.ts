import { enrichmentBackground, pathwayParameters, speciesName } from '@cellfolio/analysis/parameters';
import { countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import { z } from 'zod';
import { declareAnalysis, type Fact, figure, genes, number, pValue, text } from '../declare.ts';
import { field } from '../form.ts';
import {
  datasetSpecies,
  geneSetAttribution,
  geneSetLibrary,
  library,
  libraryNote,
  plainLibraryName,
} from '../gene-sets.ts';

/** The input of the figure. */
export interface PathwayFigure {
  /** In any order; all tested sets, or the best of them with their total in `termCount`. */
  readonly terms: readonly PathwayTerm[];
  readonly title: string;
  /** The library, such as `KEGG 2021, abridged`, and the numbers of genes. */
  readonly subtitle: string;
  /** Number of bars; default 10, at most 50. */
  readonly top?: number;
  /** Adjusted p up to which a set counts as significant; default 0.05. */
  readonly threshold?: number;
  /** Number of sets tested; default `terms.length`. */
  readonly termCount?: number;
  /** Minimum number of genes that each set shares with the list; default 1. */
  readonly minimumOverlap?: number;
}

export interface PathwayTerm {
  readonly term: string;
  /** 0 to 1; 0 if it underflowed. */
  readonly adjustedP: number;
  /** Natural logarithm of the unadjusted p-value, for sets whose p underflows. */
  readonly logP?: number;
  readonly overlap: string;
  readonly combinedScore?: number;
}

/** Adjusted p up to which a set counts as significant. */
export const significanceThreshold = 0.05;
/** Below this many matched genes, one gene more or less decides significance. */
export const fewGenes = 10;
/** A smaller background is that of a panel, chosen for a purpose that its sets share. */
export const smallBackground = 1000;

const { shape } = pathwayParameters;
const integer = z.number().int();

const detectedSpecies = z.object({
  species: speciesName.nullable().describe('null where the names do not say.'),
  by: z
    .enum(['ids', 'symbols', 'nothing', 'request'])
    .describe('Ensembl ids, the way symbols are written, or the `species` of the request.'),
  matching: z.int().describe('Names in the form of the species.'),
  looked: z.int().describe('Names looked at.'),
});

const orthologueUse = z.object({
  from: speciesName,
  to: speciesName,
  table: z.string().describe('File of the table, or source and release of the built-in one.'),
  licence: z.string(),
  mapped: z.int().describe('Genes with an ortholog, of those the background was taken from.'),
  unmapped: z.int().describe('Genes without one, which are left out.'),
  merged: z.int().describe('Genes that share their ortholog with another and count as one with it.'),
});
export type OrthologueUse = z.output<typeof orthologueUse>;

const result = z.object({
  library: geneSetLibrary.describe('The library that was tested.'),
  background: z
    .object({
      kind: z.enum(['expressed', 'library', 'dataset', 'own']),
      gene_count: integer.describe('Genes of the background, as they were counted in the test.'),
      description: z.string().describe('A sentence to quote.'),
      minimum_share: z.number().optional().describe('As applied; of `expressed` alone.'),
      minimum_cells: integer.optional().describe('As applied; of `expressed` alone.'),
      required_cells: integer
        .optional()
        .describe('Active cells that had to express a gene, from both thresholds.'),
      active_cells: integer.describe('Active cells of the dataset.'),
      dataset_gene_count: integer.describe('Genes of the dataset.'),
    })
    .describe('The background of the test.'),
  species: z
    .object({
      dataset: detectedSpecies,
      library: detectedSpecies,
      orthologues: orthologueUse
        .nullable()
        .describe('How genes were mapped; null where they were compared by name.'),
    })
    .describe('Species of the dataset and of the library.'),
  sets: z
    .object({
      library: z.int().describe('Sets of the library.'),
      dropped: z.int().describe('Sets that share no gene with the background.'),
      shrunk: z.int().describe('Sets that lost some of their genes, because the background lacks them.'),
      tested: z
        .int()
        .describe('Sets that share a gene with the list: tested, and counted in the adjustment.'),
      below_minimum_overlap: z.int().describe('Tested sets that are not reported.'),
      reported: z.int().describe('Rows of the table.'),
    })
    .describe('Numbers of sets of the library that were tested or left out.'),
  minimum_overlap: z.int().describe('As applied.'),
  found_genes: z.array(z.string()).describe('Genes tested, as the dataset spells them.'),
  not_found_genes: z.array(z.string()).describe('Genes of the list that the dataset does not have.'),
  not_in_background_genes: z
    .array(z.string())
    .describe('Genes of the list that the dataset has and the background has not; left out too.'),
});
type Result = z.output<typeof result>;
export type PathwayResult = Result;

const [expressed, ofLibrary, ofDataset, own] = enrichmentBackground.options;
const background = enrichmentBackground
  .clone({
    ...enrichmentBackground.def,
    options: [
      expressed.extend({
        minimum_share: field(expressed.shape.minimum_share, {
          label: 'Minimum % of Cells',
          isPercent: true,
          step: 0.5,
        }),
        minimum_cells: field(expressed.shape.minimum_cells, { label: 'Minimum Cells', step: 1 }),
      }),
      ofLibrary,
      ofDataset,
      own.extend({ genes: field(own.shape.genes, { label: 'Background Genes', control: 'genes' }) }),
    ],
  })
  .default(shape.background.def.defaultValue)
  .describe(enrichmentBackground.description ?? '');

/** Tests in which gene sets a list of genes is over-represented, as gseapy's `enrich` computes it. */
export const pathway = declareAnalysis({
  id: 'pathway',
  title: 'Gene Set Enrichment Analysis',
  task: 'enrich',
  question: 'Which gene sets is a list of genes enriched in?',
  searchWords: 'enrichment ORA GO terms pathways',
  questionPhrases: ['pathway', 'enrichment', 'enriched', 'gene set', 'ora', 'go term'],
  names: { notice: 'Enrichment analysis', running: 'Running GSE Analysis' },
  icon: 'table',
  summary: 'Test in which gene sets a list of genes is over-represented',
  path: '/api/perform-pathway-analysis',
  fields: { table: 'analysis', figure: 'barplot', hasNoParameters: true },
  file: 'pathway_analysis',
  alwaysRetried: true,
  about:
    'Sets that share fewer genes than the minimum overlap with the list are not reported, but count in the adjustment of the p-values.',
  request: z.object({
    pathway_genes: field(shape.pathway_genes, {
      label: 'Genes',
      control: 'genes',
      hint: 'Separate them by commas, or paste a list.',
    }),
    library_name: library,
    background: field(background, {
      label: 'Background',
      control: 'variants',
      choices: {
        expressed: [
          'Expressed genes (default)',
          'Genes that the active cells express. Only these could be in your list; a larger background makes even random lists look significant.',
        ],
        library: ['Genes of the library', 'All genes of any set of the library, the default of gseapy.'],
        dataset: ['All genes of the dataset'],
        own: [
          'My own list',
          'The genes that your list was chosen from, such as those of a panel or those you tested.',
        ],
      },
    }),
    minimum_overlap: field(shape.minimum_overlap, { label: 'Minimum Overlap', step: 1 }),
    species: datasetSpecies,
  }),
  result,
  table: {
    Gene_set: text('Library'),
    Term: text('Term'),
    Overlap: text('Overlap'),
    'P-value': pValue('P-value'),
    'Adjusted P-value': pValue('Adjusted p-value'),
    'Odds Ratio': number('Odds ratio'),
    'Combined Score': number('Combined score'),
    Genes: genes('Genes'),
  },
  rows: { one: 'term', many: 'terms', order: 'the most significant first' },
  figure: figure<PathwayFigure>('enrichment-bar', 'Bar Plot', { file: 'pathway_analysis_barplot' }),
  cautions: {
    background: (_: BackgroundNumbers, { result: { background: chosen } }) => {
      return `${chosen.description[0]!.toLowerCase()}${chosen.description.slice(1)}.`;
    },
    'dataset-background': ({
      datasetGenes,
      expressedGenes,
    }: {
      datasetGenes: number;
      expressedGenes: number;
    }) =>
      `Even random lists of expressed genes look significant: the background is every gene of the file (${countText(datasetGenes)}), but only ${countText(expressedGenes)} are expressed in at least 1 % of all cells. Choose the expressed genes.`,
    'scaled-values': ({ genes: size }: { genes: number }) =>
      `The ${countText(size)} genes of the background are not the expressed ones: the values are scaled, and above 0 means above the mean. Use a background of your own.`,
    'small-background': ({ genes: size }: { genes: number; smallBelow: number }) =>
      `The background has only ${countText(size)} genes, as in a targeted panel. Enrichment is relative to the panel.`,
    'genes-not-found': (numbers: LeftOutGenes, { result: { not_found_genes: names } }) =>
      `${ofList(numbers)} not in the dataset and left out: ${listedNames(names)}. Check their names.`,
    'genes-not-in-background': (numbers: LeftOutGenes, { result: { not_in_background_genes: names } }) =>
      `${ofList(numbers)} in the dataset but not in the background, and left out: ${listedNames(names)}. Check the background.`,
    'few-genes': ({ genes: matched, fewBelow }: { genes: number; fewBelow: number }) =>
      `Only ${plural(matched, 'gene')} of the list ${pluralWord(matched, 'was', 'were')} tested, fewer than ${fewBelow}: a single gene can change what is significant. Use a longer list.`,
    sets: ({ belowMinimumOverlap: below, belowSignificant, minimumOverlap, ...sets }: SetNumbers) => {
      const hidden =
        below === 0
          ? ''
          : ` ${countText(below)} of them share fewer than ${minimumOverlap} and are not reported, ${countText(belowSignificant)} of these with an adjusted p of at most ${significanceThreshold}; they count in the adjustment.`;
      return `Of the ${countText(sets.library)} sets of the library, ${countText(sets.dropped)} have no gene in the background and ${countText(sets.shrunk)} lost some of their genes. The p-values are adjusted (Benjamini-Hochberg) over the ${countText(sets.tested)} sets that share a gene with the list.${hidden}`;
    },
  },
  headline: ['tested'],
  started: ({ library_name: name }) => `Testing the genes against ${plainLibraryName(name)}`,
  describe({ library_name: name, pathway_genes: list }, answer) {
    if (answer === undefined) return [plainLibraryName(name), plural(list.length, 'gene')];
    return [answer.library.title, `${plural(answer.found_genes.length, 'gene')} tested`];
  },
  preview: ({ minimum_overlap: minimum }, { sets }) =>
    sets.tested === 0
      ? 'No set of the library shares a gene with the list.'
      : `No set of the library shares ${minimum} genes with the list.`,
  nothing(_, { sets, minimum_overlap: minimum }, { significant, threshold }) {
    if (sets.reported === 0) {
      const why =
        sets.tested === 0
          ? 'No gene set shares a gene with the list. Try another library or more genes.'
          : `No gene set shares ${minimum} genes with the list. Lower the minimum overlap, or try another library or more genes.`;
      return { title: 'No Gene Sets Found', text: why };
    }
    if (significant !== 0) return undefined;
    return {
      title: 'No Significant Gene Sets',
      text: `None of ${plural(sets.reported, 'reported gene set')} has an adjusted p-value of ${String(threshold)} or less. Try more genes, or a library that fits them; the listed sets are no evidence by themselves.`,
    };
  },
  head: (_, { library: tested }) => [`Library: ${tested.title}: ${geneSetAttribution(tested)}`],
  facts: factsOf,
  lists: ({ not_found_genes: missing, not_in_background_genes: outside }) => [
    { title: 'Not in the dataset', names: missing },
    { title: 'Not in the background', names: outside },
  ],
  notes: (request, dataset) => ({
    library_name: libraryNote(request, dataset) ?? {},
    background:
      request.background?.kind === 'dataset'
        ? { warning: 'Every gene of the file, expressed or not. This inflates significance.' }
        : {},
  }),
});

export type PathwayRequest = z.output<typeof pathway.request>;

export interface BackgroundNumbers {
  readonly kind: Result['background']['kind'];
  readonly genes: number;
  readonly datasetGenes: number;
  readonly activeCells: number;
  readonly requiredCells?: number;
  readonly notInDataset: number;
}

/** Genes that were left out, of those of the list. */
export type LeftOutGenes = Readonly<Record<'genes' | 'given', number>>;

export interface SetNumbers {
  readonly library: number;
  readonly dropped: number;
  readonly shrunk: number;
  readonly tested: number;
  readonly belowMinimumOverlap: number;
  readonly belowSignificant: number;
  readonly minimumOverlap: number;
}

function ofList({ genes: left, given: total }: LeftOutGenes): string {
  return `${countText(left)} of the ${countText(total)} genes of the list ${pluralWord(left, 'is', 'are')}`;
}

const backgroundWords: Readonly<Record<Result['background']['kind'], string>> = {
  expressed: 'expressed genes',
  library: 'genes of the library',
  dataset: 'genes of the dataset, expressed or not',
  own: 'genes of your own list',
};

function factsOf(answer: Result): Fact[] {
  const { background: of, library: tested, sets, species } = answer;
  const leftOut = answer.not_found_genes.length + answer.not_in_background_genes.length;
  const list =
    leftOut === 0 ? 'all genes of the list tested' : `${plural(leftOut, 'gene')} of the list left out`;
  return [
    {
      code: 'tested',
      title: 'Background',
      message: `${countText(of.gene_count)} ${backgroundWords[of.kind]} · ${list} · ${plural(sets.tested, 'set')} tested of ${tested.title} · ${tested.licence}`,
    },
    { code: 'origin', title: 'Library', message: `${tested.title}. ${geneSetAttribution(tested)}` },
    { code: 'background', title: 'Background', message: `${of.description}.${thresholdText(of)}` },
    { code: 'species', title: 'Species', message: speciesText(species) },
    {
      code: 'sets',
      title: 'Gene sets',
      message: `${plural(sets.library, 'set')} in the library; ${countText(sets.dropped)} have no gene in the background, ${countText(sets.shrunk)} lost some. ${countText(sets.tested)} share a gene with the list and count in the adjustment of the p-values; ${countText(sets.below_minimum_overlap)} of them share fewer than ${answer.minimum_overlap} and are not reported.`,
    },
  ];
}

function thresholdText({
  minimum_share: share,
  minimum_cells: cells,
  required_cells: required = 0,
}: Result['background']) {
  if (share === undefined || cells === undefined) return '';
  return ` The threshold is ${Number((100 * share).toPrecision(6))} % of the active cells and at least ${plural(cells, 'cell')}, so ${plural(required, 'cell')} here.`;
}

function speciesText({ dataset, library: theirs, orthologues }: Result['species']): string {
  const words = `Dataset: ${oneSpecies(dataset)}. Library: ${oneSpecies(theirs)}.`;
  if (orthologues === null) return `${words} Genes were compared by name.`;
  const { mapped, unmapped, merged, table, licence } = orthologues;
  return `${words} ${plural(mapped, 'gene')} mapped to orthologs by ${table} (license: ${licence}), ${countText(unmapped)} without one left out, ${countText(merged)} counted together with another.`;
}

function oneSpecies({ species, by, matching, looked }: z.output<typeof detectedSpecies>): string {
  if (by === 'request') return `${species ?? ''}, as you chose`;
  if (species === null) return 'unknown from the gene names';
  return `${species} (${countText(matching)} of ${countText(looked)} ${by === 'ids' ? 'ids' : 'symbols'})`;
}
