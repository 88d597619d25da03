import type { Caution } from './caution.ts';

/**
 * Codes of the warnings of results, the gravest first: the order in which pages, files and answers show them. A warning is
 * what would change a reader's decision. Its message has the figure and says what to do, in 35 words or fewer.
 */
const warningCodes = [
  // The cells may be others than those that are meant.
  'filter-of-other-version',
  // The values are not what the test takes them for.
  'not-log-normalised',
  'equal-totals',
  'scaled-values',
  // The design cannot answer the question.
  'sample-confounded',
  'batch-confounded',
  'no-path-in-data',
  'axis-of-samples',
  'axis-nearly-constant',
  'sets-of-categories',
  'sets-of-chosen-cells',
  'samples-nested',
  'sides-of-other-groups',
  'ends-of-other-groups',
  'groups-not-testable',
  'disconnected-graph',
  // P-values are smaller than the data allow.
  'ranked-over-all-cells',
  'cells-as-replicates',
  'p-values-too-small',
  'controls-differ',
  'flat-side',
  'uneven-t-test',
  'sparse-genes',
  'more-false-discoveries',
  'selection-tested-on-own-data',
  'filter-tested-on-own-data',
  'cells-cut-by-expression',
  'clusters-tested-on-own-data',
  'dataset-background',
  'model-of-expression',
  // Something else than the question may explain the result.
  'order-follows-samples',
  'axis-follows-samples',
  'module-follows-samples',
  'groups-from-one-sample',
  'one-sample',
  'counts-per-cell-differ',
  'axis-follows-counts',
  'module-follows-depth',
  'ambient-genes-lead',
  'sex-linked-genes-lead',
  'cell-cycle-genes-lead',
  'stress-genes-lead',
  'mitochondrial-genes-lead',
  'ribosomal-genes-lead',
  'mitochondrial-module',
  'ribosomal-module',
  'explained-by-programme',
  'targets-not-changed',
  'batches-without-controls',
  'two-types',
  'one-sided-interactions',
  'one-sided-ranking',
  'path-not-checked',
  'graph-nearly-apart',
  'gap-in-order',
  'root-in-the-middle',
  'root-suggested',
  // The design could be a better one.
  'units-not-paired',
  'pairs-not-used',
  'samples-may-be-nested',
  'random-effect-unused',
  'unassigned-groups',
  'numbers-as-categories',
  // There is too little to find or to trust much.
  'too-few-permutations',
  'few-samples',
  'few-cells',
  'small-groups',
  'few-genes',
  'few-genes-matched',
  'model-genes-missing',
  'markers-missing',
  'rare-categories',
  'small-background',
  'species-unknown',
  'abridged-markers',
  'abridged-pairs',
  'relative-to-other-groups',
  'unbalanced-ranking',
  'ties',
  'low-end-tied',
  'high-end-tied',
  'low-end-short',
  'high-end-short',
  'many-cells-at-one-place',
  'cells-beyond-the-line',
  'matched-regardless-of-case',
  // Something was left out.
  'groups-without-markers',
  'samples-without-counts',
  'samples-without-ends',
  'samples-left-out',
  'groups-left-out',
  'groups-without-cells',
  'genes-not-found',
  'genes-not-in-background',
  'genes-not-paired',
  'genes-with-missing-values',
  'cells-without-sample',
  'cells-without-category',
  'cells-without-components',
  'cells-without-place',
  'cells-not-ranked',
  'unlabelled-cells',
] as const;

/** Codes of facts with their titles: true of every such result, or how it was made. They change no decision. */
const factTitles = {
  background: 'Background',
  sets: 'Sets',
  library: 'Remarks on the sets',
  'species-mapped': 'Species',
  'species-given': 'Species',
  'other-gene-names': 'Names of genes',
  'counts-not-used': 'Raw counts',
  'multiple-testing': 'Tests',
  'false-discoveries-as-stated': 'False discoveries',
  'genes-not-tested': 'Genes not tested',
  'genes-filtered': 'Genes without p',
  'p-values-at-bound': 'Smallest p',
  'constant-covariates': 'Not in the model',
  'covariates-held-by-pairs': 'Not in the model',
  'samples-paired': 'Pairs',
  'within-categories': 'Split',
  'ends-by-ranking': 'Cause',
  'score-has-control-genes': 'Score',
  'shares-add-up': 'Shares',
  'pseudotime-is-no-time': 'Pseudotime',
  'expression-is-no-contact': 'Contact',
  'suggestions-only': 'Suggestions',
  'model-knows-its-types': 'Types of the model',
  'order-tested-on-own-data': 'Evidence',
  'axis-made-of-expression': 'Evidence',
  'graph-of-same-data': 'Evidence',
  'genes-as-independent': 'Evidence',
  'permuted-cells': 'Evidence',
  'cells-as-replicates-in-samples': 'Evidence',
  'fewer-degrees-of-freedom': 'Curves',
  'tied-genes': 'Ties',
  'repeated-genes': 'Repeated genes',
  'unexpressed-genes': 'Genes not ranked',
  'genes-without-number': 'Genes not ranked',
  'genes-unmapped': 'Genes not ranked',
  'unassigned-left-out': 'Groups',
  'same-controls': 'Similarity',
  'sets-left-out': 'Sets left out',
  'pairs-left-out': 'Pairs left out',
} as const;

type WarningCode = (typeof warningCodes)[number];
type FactCode = keyof typeof factTitles;

/** A caution of a result: a warning or a fact, by its code. */
export interface ResultCaution extends Caution {
  readonly code: WarningCode | FactCode;
}

export interface ResultNotes {
  /** The gravest first. */
  readonly warnings: Caution[];
  readonly facts: (Caution & { readonly title: string })[];
}

/** Warnings that are not shown beside one that says the same and more. */
const coveredBy: Partial<Record<WarningCode, readonly WarningCode[]>> = {
  'sample-confounded': ['cells-as-replicates'],
  'axis-of-samples': ['cells-as-replicates', 'axis-follows-samples'],
  'ranked-over-all-cells': ['cells-as-replicates'],
  'disconnected-graph': ['graph-nearly-apart'],
};

/** Number of warnings that are shown at once, on pages and below figures; the others on request. */
export const warningsShown = 2;

const ranks: ReadonlyMap<string, number> = new Map(warningCodes.map((code, rank) => [code, rank]));
const titles: ReadonlyMap<string, string> = new Map(Object.entries(factTitles));

/** Cautions of a result in any order as its warnings by rank, and its facts. Throws RangeError for an unknown code. */
export function resultNotes(cautions: readonly ResultCaution[]): ResultNotes {
  const warnings: Caution[] = [];
  const facts: ResultNotes['facts'] = [];
  for (const caution of cautions) {
    const title = titles.get(caution.code);
    if (title !== undefined) facts.push({ ...caution, title });
    else if (ranks.has(caution.code)) warnings.push(caution);
    else throw new RangeError(`the caution ${caution.code} has no rank in result-cautions.ts`);
  }
  const covered = new Set<string>(warnings.flatMap(({ code }) => coveredBy[code as WarningCode] ?? []));
  return {
    warnings: warnings
      .filter(({ code }) => !covered.has(code))
      .sort((one, other) => ranks.get(one.code)! - ranks.get(other.code)!),
    facts,
  };
}

/** The lines of notes above a table: facts under their titles, then warnings, the gravest first. */
export function noteLines(cautions: readonly ResultCaution[]): string[] {
  const { warnings, facts } = resultNotes(cautions);
  return [
    ...facts.map(({ title, message }) => `${title}: ${message}`),
    ...warnings.map(({ message }) => message),
  ];
}
