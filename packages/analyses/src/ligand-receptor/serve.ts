import { type InteractionPair, type ResolvedPairs, resolvePairs } from '@cellfolio/analysis';
import {
  countText,
  isOfExpression,
  isUnassigned,
  leftOutCautions,
  listedNames,
  plural,
  quotedHead,
  type ResultCaution,
  unassignedCautions,
  valueCautions,
} from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import type { Context } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { type DatasetList, listText, listWords, namedList } from '../reference-lists.ts';
import { serve } from '../serve.ts';
import type { PairGroups, RankedPairs, ScoredPairs, steps, TooMany } from './compute.ts';
import { ligandReceptor, type LigandReceptorRequest } from './declare.ts';

type Services = Context<typeof steps>;

/** Maximum interactions of one result: a row of the table has about 350 characters. */
const maxInteractions = 150_000;
/** Maximum values of the genes in the cells, 6 bytes each, in memory while labels are permuted. */
const maxValues = 64 * 1024 * 1024;
/** Steps per task: about 50 ms, so that other users' figures are drawn between tasks. */
const taskSteps = 30_000_000;

export const analysis = serve(ligandReceptor, {
  async run(input, context: Services) {
    refuseScaled(context);
    const request = { ...input, groupby: await context.groupColumn(input.groupby, 'groupby') };
    const pairs = await datasetPairs(request, context);
    const groups = await pairGroups(request, context);
    const scored = await scoredPairs(request, pairs, groups, context);
    const ranked = await rankedPairs(request, { pairs, groups, scored }, context);
    const { interactions, scores, looked } = scored;
    const { pValues } = ranked;
    const { count, ...head } = pairs.list.head;
    const groupTitle = context.groupTitleOf(request.groupby);
    return {
      request,
      result: {
        group_title: groupTitle,
        pair_set: { ...head, pair_count: count },
        pairs: {
          listed: count,
          in_dataset: pairs.resolved.pairs.length,
          missing: pairs.resolved.missing,
          duplicates: pairs.resolved.duplicates,
        },
        groups: cellsOf(groups),
        tests: {
          looked,
          tested: pValues.length,
          passing: ranked.significant,
          adjusted: ranked.adjustedPassing,
        },
      },
      table: ranked.table,
      cautions: await cautionsOf(request, { pairs, groups, looked, ranked }, context),
      isEmpty: pValues.length === 0,
      drawing: {
        groupTitle,
        groups: cellsOf(groups).map(({ name: label, cells }) => ({ label, cells })),
        pairs: pairs.named,
        sources: interactions.sources,
        targets: interactions.targets,
        pairOf: interactions.pairs,
        means: scores.means,
        pValues,
        permutations: request.permutations,
        threshold: request.pval,
        pairSet: listWords(pairs.list.head, 'pair'),
      },
    };
  },
  displayed({ result, drawing }, { groupby }, display) {
    const { groups, sources, targets } = drawing;
    const order = display.order(
      groupby,
      groups.map(({ label }) => label),
    );
    const placeOf = Uint16Array.from(groups, (_, group) => order.indexOf(group));
    return {
      result,
      drawing: {
        ...drawing,
        groups: order.map((group) => groups[group]!),
        sources: sources.map((group) => placeOf[group]!),
        targets: targets.map((group) => placeOf[group]!),
      },
    };
  },
  facts({ request: { permutations, seed, pval }, result: { pair_set: set, pairs, groups, tests } }) {
    const duplicates =
      pairs.duplicates > 0 ? `, ${countText(pairs.duplicates)} that are the same genes as another` : '';
    return [
      {
        code: 'pairs',
        title: 'Pairs',
        message: `${countText(pairs.in_dataset)} of ${countText(pairs.listed)} of ${namedList(set)} · ${plural(groups.length, 'group')} · ${countText(tests.passing)} of ${plural(tests.tested, 'interaction')} with p < ${pval}, ${countText(tests.adjusted)} adjusted`,
      },
      { code: 'set', title: 'Set of pairs', message: listText(set) },
      {
        code: 'left-out',
        title: 'Left out',
        message: `${plural(pairs.missing, 'pair')} with a subunit that the dataset does not have${duplicates}`,
      },
      {
        code: 'test',
        title: 'Test',
        message: `CellPhoneDB (Efremova et al. 2020), as in LIANA: mean of the mean log-normalized values of ligand and receptor, for a complex its subunit with the smallest mean; p is the share of ${countText(permutations)} permutations of the labels, seed ${seed}, with a mean as high`,
      },
      {
        code: 'ranks',
        title: 'Ranks',
        message:
          'robust rank aggregates (Kolde et al. 2012), lower is better: magnitude over mean, product and LR score, specificity over p, fold change, scaled weight and specificity weight',
      },
      {
        code: 'groups',
        title: 'Groups',
        message: groups.map(({ name, cells }) => `${name} (${countText(cells)})`).join(', '),
      },
    ];
  },
});

function refuseScaled({ dataset, refuse }: Services): void {
  if (dataset.expression.state !== 'scaled') return;
  refuse(
    'scaled_values',
    'The dataset has scaled values, which are below 0 if a gene is not expressed: a mean of ligand and receptor is then meaningless. Import the dataset with log-normalized values or counts.',
  );
}

interface DatasetPairs {
  readonly list: DatasetList<InteractionPair>;
  readonly resolved: ResolvedPairs;
  /** The resolved ones as the dataset names their genes. */
  readonly named: readonly {
    readonly ligand: string;
    readonly receptor: string;
    readonly reference: string;
  }[];
  /** Symbols of the genes that any pair needs. */
  readonly genes: readonly string[];
}

async function datasetPairs(
  { pairs: name, own_pairs: own }: LigandReceptorRequest,
  { list: listOf, dataset: { symbols }, refuse }: Services,
): Promise<DatasetPairs> {
  const list = await listOf('pairs', { name, own });
  const { head, entries, find } = list;
  const resolved = resolvePairs(entries, find);
  if (resolved.pairs.length === 0) {
    const { ligand, receptor } = entries[0]!;
    const first = `${ligand.join('+')} – ${receptor.join('+')}`;
    refuse(
      'no_pairs_found',
      `None of the ${countText(entries.length)} pairs of ${quotedHead(head.name, 80)} has both genes in the dataset; the first pair is ${quotedHead(first, 120)}. Use pairs among the genes of the dataset.`,
      { field: own === undefined ? 'pairs' : 'own_pairs', problem: 'has no pair of genes of the dataset' },
    );
  }
  const genes = Array.from(resolved.rows, (row) => symbols[row] ?? String(row));
  const nameOf = (places: readonly number[]) => places.map((place) => genes[place]!).join('+');
  const named = resolved.pairs.map(({ pair, ligand, receptor }) => ({
    ligand: nameOf(ligand),
    receptor: nameOf(receptor),
    reference: entries[pair]!.reference,
  }));
  return { list, resolved, named, genes };
}

async function pairGroups(request: LigandReceptorRequest, context: Services): Promise<PairGroups> {
  const { groupby: column, groups: chosen, min_cells: minCells } = request;
  context.report('Finding the groups');
  const mask = await context.mask();
  const groups = await context.compute('group', { mask, column, chosen, minCells });
  if (groups.names.length >= 2) return groups;
  const { leftOut, empty } = groups;
  const has = groups.names.length === 1 ? 'one group' : 'no group';
  const few = leftOut.map(({ name, cells }) => `${name} (${cells})`);
  const reasons = [
    ...(few.length > 0 ? [`too few cells: ${listedNames(few, 5)}`] : []),
    ...(chosen && empty.length > 0 ? [`no active cell: ${listedNames(empty, 5)}`] : []),
  ].join('; ');
  return context.refuse(
    'not_enough_groups',
    `Of the active cells, ${has} of ${quotedHead(column, 80)} has ${countText(minCells)} cells or more${reasons === '' ? '' : ` (${reasons})`}, and pairs need at least two groups. Choose another column, more groups, or a larger subset.`,
    { field: 'groupby', problem: 'has fewer than two groups of enough cells' },
  );
}

async function scoredPairs(
  { min_share: minShare }: LigandReceptorRequest,
  { resolved: { pairs, rows } }: DatasetPairs,
  { labels, sizes, placeOf }: PairGroups,
  context: Services,
): Promise<ScoredPairs> {
  const matrixMean = meanOfExpressed(await context.geneMeans());
  context.report('Reading the genes');
  const max = { interactions: maxInteractions, values: maxValues };
  const groups = { labels, sizes, placeOf };
  const input = { groups, pairs, rows, minShare, max, matrixMean };
  const scored = await context.compute('score', input, { isLong: true });
  return 'refusal' in scored ? refuseTooMany(scored, context) : scored;
}

/** Mean over the genes that any of the cells expresses, as in LIANA. */
function meanOfExpressed(means: Float64Array): number {
  const expressed = means.filter((mean) => mean !== 0 && !Number.isNaN(mean));
  return expressed.length === 0 ? 0 : expressed.reduce((sum, mean) => sum + mean, 0) / expressed.length;
}

function refuseTooMany({ refusal, count }: TooMany, { refuse }: Services): never {
  return refusal === 'interactions'
    ? refuse(
        'result_too_large',
        `${countText(count)} interactions would be tested; the maximum is ${countText(maxInteractions)}. Choose fewer groups or pairs, or a higher share of expressing cells.`,
      )
    : refuse(
        'too_many_values',
        `The genes of the pairs have ${countText(count)} values in these cells; the maximum for permutation is ${countText(maxValues)}. Choose fewer pairs, or a smaller subset.`,
      );
}

interface TestedPairs {
  readonly pairs: DatasetPairs;
  readonly groups: PairGroups;
  readonly scored: ScoredPairs;
}

async function rankedPairs(
  { permutations, seed, pval: threshold }: LigandReceptorRequest,
  { pairs: { named: pairs, genes }, groups, scored }: TestedPairs,
  context: Services,
): Promise<RankedPairs> {
  const { entries, interactions, scores } = scored;
  const { labels, sizes, names } = groups;
  const permuted = { entries, groups: { labels, sizes }, interactions, means: scores.means, seed };
  const ofOne = entries.values.length + 4 * entries.cellCount + scores.means.length;
  const ofTask = Math.max(1, Math.min(permutations, Math.floor(taskSteps / Math.max(1, ofOne))));
  const inputs = Array.from({ length: Math.ceil(permutations / ofTask) }, (_, nth) => ({
    permuted,
    from: nth * ofTask,
    to: Math.min(permutations, (nth + 1) * ofTask),
  }));
  const counts = await context.computeAll('permute', inputs, 'Permuting the labels');
  context.report('Ranking the interactions');
  const input = { counts, permutations, interactions, scores, threshold, groups: names, pairs, genes };
  return context.compute('rank', input, { isLong: true });
}

interface Findings {
  readonly pairs: DatasetPairs;
  readonly groups: PairGroups;
  readonly looked: number;
  readonly ranked: RankedPairs;
}

async function cautionsOf(
  request: LigandReceptorRequest,
  { pairs: { list, resolved }, groups, looked, ranked }: Findings,
  context: Services,
) {
  const { groupby: column, min_cells: minCells, permutations } = request;
  const { pairs, missing, duplicates } = resolved;
  const { count, label } = list.head;
  const { oneSided, significant, adjustedPassing, zeroPs, pValues } = ranked;
  const own: CodedCaution<(typeof ligandReceptor)['cautions']>[] = [
    { code: 'expression-is-no-contact' },
    {
      code: 'multiple-testing',
      numbers: { tests: pValues.length, looked, permutations, passing: significant, adjustedPassing, zeroPs },
    },
  ];
  if (oneSided > 0) own.push({ code: 'one-sided-interactions', numbers: { oneSided, passing: significant } });
  if (label !== '') own.push({ code: 'abridged-pairs', numbers: { pairs: count } });
  if (missing + duplicates > 0) {
    const numbers = { pairs: count, inDataset: pairs.length, missing, duplicates };
    own.push({ code: 'pairs-left-out', numbers });
  }
  return [
    ...valueCautions(context.dataset, 'means, fold changes and all ranks are of the values as they are'),
    await permutedCells(column, groups, context),
    ...own,
    ...list.cautions('Proteins of orthologous genes need not bind the same partners.'),
    ...leftOutCautions(groups, { minCells, column, nowhere: 'permutation' }),
    ...unassignedCautions(
      cellsOf(groups).filter(({ name }) => isUnassigned(name)),
      { column: columnTitle(column), isLeftOut: false, otherwise: 'senders and receivers like the others' },
    ),
  ];
}

async function permutedCells(
  column: string,
  { names, sizes }: PairGroups,
  context: Services,
): Promise<ResultCaution> {
  const cells = sizes.reduce((sum, size) => sum + size, 0);
  const samples = await context.sampleColumn();
  const of = samples
    ? `though cells of one sample (${columnTitle(samples.column)}) are similar`
    : 'and no sample column is known';
  const formed = isOfExpression(context.dataset, column)
    ? ' The groups were formed from the same expression, which makes p even smaller.'
    : '';
  return {
    code: 'permuted-cells',
    message: `The permutations treat each of ${countText(cells)} cells as a replicate, ${of}. A small p shows that these groups differ from random ones, not that other samples would show the same.${formed}`,
    numbers: { cells, groups: names.length },
  };
}

function cellsOf({ names, sizes }: PairGroups): { name: string; cells: number }[] {
  return names.map((name, group) => ({ name, cells: sizes[group]! }));
}
