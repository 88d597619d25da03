import { comparison as comparisonAnalysis, type ComparisonRequest } from '@cellfolio/analyses';
import type { RankedEnrichmentRequest } from '@cellfolio/contract';
import {
  analysisCall,
  columnTitle,
  rankedEnrichmentRequest,
  rankingStatistics,
  speciesName,
} from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem, type RunBefore } from '@/features/analyses/index.ts';
import { type ReadRanking, readRanking } from './read-ranking.ts';

export interface RankedEnrichmentForm {
  source: string;
  /** A comparison as JSON; empty for none. */
  comparison: string;
  /** A category of the comparison's `within`; empty for the one with most differing genes. */
  part: string;
  statistic: string;
  ranking: string;
  rankingName: string;
  library: string;
  species: string;
  method: string;
  minSize: string;
  maxSize: string;
  permutations: string;
  weight: string;
  seed: string;
}

const { shape } = rankedEnrichmentRequest;

export const rankedNumbers = {
  minSize: numberParameter(shape.min_size),
  maxSize: numberParameter(shape.max_size),
  permutations: numberParameter(shape.permutations),
  weight: numberParameter(shape.weight),
  seed: numberParameter(shape.seed),
};

export const rankedDefaults: RankedEnrichmentForm = {
  source: 'comparison',
  comparison: '',
  part: '',
  statistic: rankingStatistics[0],
  ranking: '',
  rankingName: 'Own ranking',
  library: shape.library_name.def.defaultValue,
  species: '',
  method: 'permutation',
  minSize: rankedNumbers.minSize.defaultValue,
  maxSize: rankedNumbers.maxSize.defaultValue,
  permutations: rankedNumbers.permutations.defaultValue,
  weight: rankedNumbers.weight.defaultValue,
  seed: rankedNumbers.seed.defaultValue,
};

export const statisticChoices = [
  { value: 'scores', label: 'Score of the test' },
  { value: 'signed-p', label: 'Signed −log10 of the p-value' },
  { value: 'logfoldchanges', label: 'Log2 fold change' },
] as const;

export const methodChoices = [
  {
    value: 'permutation',
    label: 'Permutations (GSEA)',
    about: 'Nominal p, FDR and FWER of gene permutations, as in gseapy.',
  },
  {
    value: 'multilevel',
    label: 'Multilevel (fgsea)',
    about: 'Smaller p-values than permutations can give, with errors; FDR of Benjamini and Hochberg.',
  },
] as const;

const { request: comparisonRequest } = analysisCall(comparisonAnalysis);

export function comparisonOf({ comparison }: Pick<RankedEnrichmentForm, 'comparison'>) {
  if (comparison === '') return undefined;
  try {
    const read = JSON.parse(comparison) as ComparisonRequest;
    return comparisonRequest.safeParse(read).success ? read : undefined;
  } catch {
    return undefined;
  }
}

export function comparisonText({ a, b, within }: ComparisonRequest): string {
  const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
  return `${a.name} against ${b?.name ?? 'all other active cells'}${groups}`;
}

/**
 * Choices of comparisons that were run, by their requests as JSON, including the chosen one: it may come from a result,
 * whose request has all defaults. If one request ran on several sets of cells, the newest run is named.
 */
export function comparisonChoices(
  runs: readonly RunBefore[],
  form: Pick<RankedEnrichmentForm, 'comparison'>,
) {
  const chosen = comparisonOf(form);
  const whole = (request: unknown) => JSON.stringify(comparisonRequest.safeParse(request).data);
  const offered = new Map<string, { value: string; label: string }>();
  for (const { module, request, label } of runs) {
    const key = whole(request);
    if (module.id !== comparisonAnalysis.id || offered.has(key)) continue;
    const value = key === whole(chosen) ? form.comparison : JSON.stringify(request);
    offered.set(key, { value, label });
  }
  if (chosen && !offered.has(whole(chosen))) {
    offered.set(whole(chosen), { value: form.comparison, label: comparisonText(chosen) });
  }
  return [...offered.values()];
}

/** Cache of the last parsed text: three functions read it at each keystroke. */
let last: { text: string; read: ReadRanking } = { text: '', read: readRanking('') };

export function rankingOf({ ranking }: Pick<RankedEnrichmentForm, 'ranking'>): ReadRanking {
  if (last.text !== ranking) last = { text: ranking, read: readRanking(ranking) };
  return last.read;
}

export function rankedRequestOf(form: RankedEnrichmentForm): RankedEnrichmentRequest {
  const { data: species } = speciesName.safeParse(form.species);
  const whole = (text: string) => Math.trunc(numberOrZero(text));
  return {
    ranking: sourceOf(form),
    library_name: form.library,
    ...(species && { species }),
    method: form.method === 'multilevel' ? 'multilevel' : 'permutation',
    min_size: whole(form.minSize),
    max_size: whole(form.maxSize),
    permutations: whole(form.permutations),
    weight: numberOrZero(form.weight),
    seed: whole(form.seed),
  };
}

function sourceOf(form: RankedEnrichmentForm): RankedEnrichmentRequest['ranking'] {
  if (form.source === 'own') {
    const { genes, values } = rankingOf(form);
    return { source: 'own', name: form.rankingName.trim() || rankedDefaults.rankingName, genes, values };
  }
  const comparison = comparisonOf(form) ?? { a: { name: '', filter: { subset_group_name: 'A' } } };
  const statistic = statisticChoices.find(({ value }) => value === form.statistic)?.value ?? 'scores';
  return { source: 'comparison', comparison, ...(form.part !== '' && { part: form.part }), statistic };
}

export function sizesProblem({ minSize, maxSize }: RankedEnrichmentForm): string | undefined {
  return numberOrZero(minSize) > numberOrZero(maxSize)
    ? 'The largest set is smaller than the smallest.'
    : undefined;
}

export function isComplete(form: RankedEnrichmentForm): boolean {
  const hasRanking =
    form.source === 'own' ? rankingOf(form).problem === undefined : comparisonOf(form) !== undefined;
  const { minSize, maxSize, permutations, weight, seed } = rankedNumbers;
  const numbers = [
    numberProblem(minSize, form.minSize),
    numberProblem(maxSize, form.maxSize),
    numberProblem(permutations, form.permutations),
    numberProblem(weight, form.weight),
    numberProblem(seed, form.seed),
  ];
  return hasRanking && sizesProblem(form) === undefined && numbers.every((problem) => problem === undefined);
}
