import {
  adjustedPresent,
  type BlockStatistics,
  groupRanges,
  guideColumns,
  type MarkerTest,
  median,
  minExpected,
  perturbationColumns,
  remainingExpression,
  type RemainingExpression,
  statisticsBytes,
  statisticsIn,
} from '@cellfolio/analysis';
import {
  countText,
  leftOutCautions,
  listedNames,
  quotedHead,
  type ResultCaution,
  valueCautions,
} from '@cellfolio/model';
import type { Context } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { serve } from '../serve.ts';
import type { NullTests, Profiles, RankedPerturbation, Screen, steps, TargetSums } from './compute.ts';
import { limits, perturbations, type PerturbationsRequest, type PerturbationsResult } from './declare.ts';

type Services = Context<typeof steps>;
type Cautions = (CodedCaution<(typeof perturbations)['cautions']> | ResultCaution)[];

/** The defaults of markers. */
const cellTest = { method: 'wilcoxon', tieCorrect: true, pseudocount: 1, exactSparse: true } as const;
const maxProfileGenes = 1000;
/** Time of the order grows with the square of their number. */
const maxCompared = 500;
const [genesShown, namesListed, topGenes, strongestShown] = [40, 1000, 10, 10];
const components = 'X_pca';
/** Permutations are reported in as many steps, and end at the next one. */
const energyTasks = 64;

export const analysis = serve(perturbations, {
  async run(sent, context: Services) {
    const request = await inDataset(sent, context);
    const screen = await sortedScreen(request, context);
    const tested = await testedScreen(screen, request, context);
    const energies = await energiesOf(screen, request, context);
    const targets = targetsOf(screen, tested, request);
    const order = [...tested.perturbations.keys()].sort((a, b) => {
      const [one, other] = [tested.perturbations[a]!, tested.perturbations[b]!];
      return changedOf(other) - changedOf(one) || energies.distances[b]! - energies.distances[a]! || a - b;
    });
    const compared = await comparedProfiles(screen, tested, order, context);
    const findings = { request, screen, tested, energies, targets, order, compared };
    const answer = resultOf(findings, context);
    return {
      request,
      result: answer,
      table: tableOf(findings, context),
      head: headOf(findings),
      cautions: cautionsOf(findings, answer, context),
      drawing: drawingOf(findings, context),
    };
  },
  facts({
    request,
    result: { controls, perturbations: tested, null: own, energy, targets, genes, guides, compared },
  }) {
    const names = listedNames(controls.names, 5);
    return [
      {
        code: 'controls',
        title: 'Controls',
        message: `${countText(controls.cells)} cells of ${names}${controls.recognized ? ', recognized by name' : ''}`,
      },
      {
        code: 'changing',
        title: 'Perturbations',
        message: `${countText(tested.changing)} of ${countText(tested.tested)} change more genes than any part of the controls does`,
      },
      {
        code: 'null',
        title: 'Controls against controls',
        message: `${countText(own.parts)} parts ${own.by === 'guides' ? 'by guide' : 'at random'}, median ${countText(own.cells)} cells: median ${countText(own.changed_median)}, at most ${countText(own.changed_most)} changed genes; inflation ${own.inflation.toFixed(2)}`,
      },
      {
        code: 'test',
        title: 'Test',
        message: `Wilcoxon rank-sum test of cells against the controls, corrected for ties, of ${countText(genes)} genes; with fewer than ${minExpected} expressing cells expected, Fisher’s exact test where its p is larger; changed: adjusted p < ${request.pvals_adj}, |log2 fold change| ≥ ${request.logfoldchanges} (pseudocount ${cellTest.pseudocount})`,
      },
      ...(energy === null
        ? []
        : [
            {
              code: 'energy',
              title: 'Energy distance',
              message: `squared Euclidean distances in ${energy.dimensions} principal components, as scperturb’s edist (Peidli and others 2024): it shows a shift of the mean, not of the spread alone; ${countText(energy.differing)} differ by ${countText(request.permutations)} permutations${request.batch === undefined ? '' : ' within batches'}`,
            },
          ]),
      {
        code: 'targets',
        title: 'Targets',
        message: `${request.expected} in ${countText(targets.changed)} of ${countText(targets.measured)} that can be measured; ${countText(targets.unmeasured)} expressed by fewer than ${limits.expressing} controls, ${countText(targets.absent)} not in the data`,
      },
      {
        code: 'similarity',
        title: 'Similarity',
        message: `Pearson’s correlation of differences of mean log-normalized values, of ${countText(compared)} perturbations with ${limits.profile} changed genes or more`,
      },
      ...(guides === null
        ? []
        : [
            {
              code: 'guides',
              title: 'Guides',
              message:
                guides.agreement === null
                  ? 'no compared perturbation has two guides with enough cells'
                  : `median correlation ${guides.agreement.toFixed(2)} between guides of one perturbation`,
            },
          ]),
    ];
  },
});

type Request = PerturbationsRequest & { readonly groupby: string };

/** With the columns that are recognized by their names. */
async function inDataset(sent: PerturbationsRequest, context: Services): Promise<Request> {
  const { obsColumns } = context.dataset;
  const groupby =
    sent.groupby === undefined
      ? await context.compute('firstCategories', { columns: perturbationColumns(obsColumns) })
      : await context.groupColumn(sent.groupby, 'groupby');
  if (groupby === undefined) {
    return context.refuse(
      'no_perturbations',
      'No column of categories is named as one of perturbations, such as perturbation or target_gene. Choose the column.',
      { field: 'groupby', problem: 'is needed' },
    );
  }
  const guides =
    sent.guides === undefined
      ? await context.compute('firstCategories', {
          columns: guideColumns(obsColumns).filter((column) => column !== groupby),
        })
      : await context.groupColumn(sent.guides, 'guides');
  return {
    ...sent,
    groupby,
    guides: guides === groupby ? undefined : guides,
    batch: sent.batch === undefined ? undefined : await context.groupColumn(sent.batch, 'batch'),
  };
}

async function sortedScreen(request: Request, context: Services): Promise<Screen> {
  context.report('Sorting the cells');
  const { groupby: column, guides, batch, controls, min_cells: minCells } = request;
  const mask = await context.mask();
  const sorted = await context.compute('sort', { column, guides, batch, controls, mask, minCells });
  const title = quotedHead(context.titleOf(column), 80);
  if ('refusal' in sorted) {
    const { refusal, names } = sorted;
    if (refusal === 'no_perturbations')
      return context.refuse(
        'no_perturbations',
        `No perturbation of ${title} has ${minCells} active cells. Lower Min. Cells, or choose another column or more cells.`,
      );
    const others =
      names.length === 0
        ? ''
        : ` Its groups are, for example, ${names.map((name) => quotedHead(name, 40)).join(', ')}.`;
    return context.refuse(
      'no_controls',
      `${controls ? 'The named controls have' : `No group of ${title} is named as a control with`} fewer than ${minCells} active cells.${others} Name the controls.`,
      { field: 'controls', problem: 'has too few cells' },
    );
  }
  return sorted;
}

interface TestedScreen {
  readonly all: BlockStatistics;
  readonly perturbations: readonly RankedPerturbation[];
  readonly largest: Float64Array;
  readonly targets: readonly TargetSums[];
  readonly null: NullTests;
}

async function testedScreen(
  screen: Screen,
  request: PerturbationsRequest,
  context: Services,
): Promise<TestedScreen> {
  const { groups, parts, targets } = screen;
  const reference = groups.names.length - 1;
  const shape = {
    method: 'wilcoxon',
    reference,
    firstGene: 0,
    geneCount: context.dataset.symbols.length,
    slotCount: groups.names.length + 1,
  } as const;
  const all = statisticsIn(new SharedArrayBuffer(statisticsBytes(shape)), shape);
  const inputs = (await context.geneBlocks(false)).map(({ from, to }) => ({
    from,
    to,
    screen: { groups, parts, targets },
    all,
  }));
  const blocks = await context.computeAll('test', inputs, 'Testing the genes', { isLong: true });
  const test: MarkerTest = { ...cellTest, minCells: request.min_cells };
  const cut = { adjustedP: request.pvals_adj, logFoldChange: request.logfoldchanges };
  const ranges = groupRanges(reference, shape.geneCount).map(({ from, to }) => ({
    from,
    to,
    groups,
    all,
    targets,
    test: { ...test, reference },
    limits: cut,
  }));
  const ranked = await context.computeAll('rank', ranges, 'Ranking the genes', { isLong: true });
  const largest = new Float64Array(shape.geneCount);
  for (const { largest: own } of ranked)
    own.forEach((score, row) => (largest[row] = Math.max(largest[row]!, score)));
  return {
    all,
    perturbations: ranked.flatMap((range) => range.perturbations).sort((a, b) => a.group - b.group),
    largest,
    targets: blocks.flatMap((block) => block.targets),
    null: await context.compute(
      'rankParts',
      { parts, blocks: blocks.map((block) => block.parts), test, limits: cut },
      { isLong: true },
    ),
  };
}

interface Energies {
  /** By perturbation; NaN without principal components. */
  readonly distances: Float64Array;
  readonly p: Float64Array;
  readonly adjusted: Float64Array;
  readonly dimensions: number;
}

async function energiesOf(
  { groups, batches }: Screen,
  { permutations }: PerturbationsRequest,
  context: Services,
): Promise<Energies> {
  const count = groups.names.length - 1;
  const embedding = context.dataset.embeddings.find(({ name }) => name === components);
  if (!embedding) {
    const none = new Float64Array(count).fill(NaN);
    return { distances: none, p: none, adjusted: none, dimensions: 0 };
  }
  const each = Math.ceil(count / energyTasks);
  const inputs = Array.from({ length: Math.ceil(count / each) }, (_, at) => ({
    from: at * each,
    to: Math.min(count, (at + 1) * each),
    groups,
    batches,
    permutations,
    embedding: components,
  }));
  const parts = (await context.computeAll('energy', inputs, 'Permuting the labels', { isLong: true })).flat();
  const p = Float64Array.from(parts, (part) => part.p);
  return {
    distances: Float64Array.from(parts, ({ distance }) => distance),
    p,
    adjusted: adjustedPresent(p),
    dimensions: embedding.dimensions,
  };
}

type Check = 'as expected' | 'not changed' | 'opposite' | 'too low' | 'not in the data';

interface TargetCheck {
  readonly check: Check;
  readonly left: RemainingExpression;
  readonly adjustedP: number;
}

const unmeasurable: RemainingExpression = { share: NaN, low: NaN, high: NaN };

/** The first target of each perturbation that enough controls express. */
function targetsOf(
  { targets }: Screen,
  tested: TestedScreen,
  { expected, pvals_adj: limit }: PerturbationsRequest,
): TargetCheck[] {
  const sumsOf = new Map(tested.targets.map((sums) => [`${sums.group}:${sums.row}`, sums]));
  const measured = tested.perturbations.map(({ group, targets: own }) => {
    const all = own.map((target) => ({ ...target, sums: sumsOf.get(`${group}:${target.row}`)! }));
    return all.find(({ sums }) => sums.controls.expressing >= limits.expressing);
  });
  const adjusted = adjustedPresent(Float64Array.from(measured, (one) => one?.p ?? NaN));
  return measured.map((one, at): TargetCheck => {
    if (!one) {
      const check = targets[tested.perturbations[at]!.group]!.length === 0 ? 'not in the data' : 'too low';
      return { check, left: unmeasurable, adjustedP: NaN };
    }
    const isExpected = expected === 'lower' ? one.score < 0 : one.score > 0;
    const check = adjusted[at]! >= limit ? 'not changed' : isExpected ? 'as expected' : 'opposite';
    return {
      check,
      left: remainingExpression(one.sums.perturbed, one.sums.controls),
      adjustedP: adjusted[at]!,
    };
  });
}

interface Compared extends Profiles {
  /** Places among the tested perturbations, by the rows of the profiles. */
  readonly places: readonly number[];
  readonly rows: Int32Array;
}

/** Undefined where fewer than two perturbations change enough genes. */
async function comparedProfiles(
  { groups, guides }: Screen,
  { all, perturbations: tested, largest }: TestedScreen,
  order: readonly number[],
  context: Services,
): Promise<Compared | undefined> {
  const places = order.filter((at) => changedOf(tested[at]!) >= limits.profile).slice(0, maxCompared);
  if (places.length < 2) return undefined;
  const changing = [...largest.keys()].filter((row) => largest[row]! > 0);
  const rows = Int32Array.from(
    changing.sort((a, b) => largest[b]! - largest[a]! || a - b).slice(0, maxProfileGenes),
  ).sort();
  context.report('Comparing the perturbations');
  const perturbed = places.map((at) => tested[at]!.group);
  const profiles = await context.compute(
    'profile',
    { groups, all, perturbations: perturbed, rows, guides },
    { isLong: true },
  );
  return { ...profiles, places, rows };
}

function changedOf({ up, down }: RankedPerturbation): number {
  return up + down;
}

interface Findings {
  readonly request: Request;
  readonly screen: Screen;
  readonly tested: TestedScreen;
  readonly energies: Energies;
  readonly targets: readonly TargetCheck[];
  readonly order: readonly number[];
  readonly compared: Compared | undefined;
}

function resultOf(findings: Findings, context: Services): PerturbationsResult {
  const { request, screen, tested, energies, targets, order, compared } = findings;
  const { names, sizes } = screen.groups;
  const byChance = Math.max(0, ...tested.null.changed);
  const count = (check: Check) => targets.filter((one) => one.check === check).length;
  const agreements = Float64Array.from(compared?.agreement ?? []).filter((value) => !Number.isNaN(value));
  return {
    group_by: request.groupby,
    group_title: context.groupTitleOf(request.groupby),
    controls: {
      names: screen.controlNames.slice(0, namesListed),
      groups: screen.controlNames.length,
      cells: sizes.at(-1)!,
      recognized: request.controls === undefined,
    },
    perturbations: {
      tested: tested.perturbations.length,
      changing: tested.perturbations.filter((one) => changedOf(one) > byChance).length,
      small: screen.small.length,
    },
    genes: tested.all.geneCount,
    null: {
      by: screen.partsBy,
      parts: tested.null.changed.length,
      cells: median(Float64Array.from(tested.null.cells)),
      changed_median: median(Float64Array.from(tested.null.changed)),
      changed_most: byChance,
      inflation: tested.null.inflation,
    },
    energy:
      energies.dimensions === 0
        ? null
        : {
            embedding: components,
            dimensions: energies.dimensions,
            differing: energies.adjusted.reduce((sum, p) => sum + (p < request.pvals_adj ? 1 : 0), 0),
            smallest_p: 1 / (request.permutations + 1),
          },
    targets: {
      measured: count('as expected') + count('not changed') + count('opposite'),
      changed: count('as expected'),
      unmeasured: count('too low'),
      absent: count('not in the data'),
    },
    compared: compared?.places.length ?? 0,
    guides:
      request.guides === undefined
        ? null
        : { column: request.guides, agreement: agreements.length === 0 ? null : median(agreements) },
    strongest: order
      .filter((at) => changedOf(tested.perturbations[at]!) > 0)
      .slice(0, strongestShown)
      .map((at) => {
        const { group, rows } = tested.perturbations[at]!;
        return {
          name: names[group]!,
          cells: sizes[group]!,
          changed: changedOf(tested.perturbations[at]!),
          genes: symbolsOf(rows.subarray(0, topGenes), context),
        };
      }),
  };
}

function symbolsOf(rows: ArrayLike<number>, { dataset: { symbols } }: Pick<Services, 'dataset'>): string[] {
  return Array.from(rows, (row) => symbols[row] ?? String(row));
}

function tableOf(findings: Findings, context: Services) {
  const { screen, tested, energies, targets, order, compared, request } = findings;
  const { names, sizes } = screen.groups;
  const rowOf = new Map(compared?.places.map((at, row) => [at, row]));
  const guidesOf = Map.groupBy(screen.guides.groups, (group) => group);
  const similar = order.map((at) => mostSimilar(rowOf.get(at), compared));
  const each = <Value>(value: (at: number, own: RankedPerturbation) => Value) =>
    order.map((at) => value(at, tested.perturbations[at]!));
  const nameOf = (at: number) => names[tested.perturbations[at]!.group]!;
  const ofProfiles = (values: ArrayLike<number> | undefined, at: number) =>
    values?.[rowOf.get(at) ?? -1] ?? NaN;
  return {
    perturbation: each(nameOf),
    target: each((_, { group }) => symbolsOf(screen.targets[group]!, context).join(';')),
    cells: each((_, { group }) => sizes[group]!),
    changed: each((_, own) => changedOf(own)),
    up: each((_, { up }) => up),
    down: each((_, { down }) => down),
    target_left: each((at) => targets[at]!.left.share),
    target_low: each((at) => targets[at]!.left.low),
    target_high: each((at) => targets[at]!.left.high),
    target_pvals_adj: each((at) => targets[at]!.adjustedP),
    target_check: each((at) => targets[at]!.check),
    ...(energies.dimensions > 0 && {
      energy_distance: each((_, { group }) => energies.distances[group]!),
      energy_pvals: each((_, { group }) => energies.p[group]!),
      energy_pvals_adj: each((_, { group }) => energies.adjusted[group]!),
    }),
    ...(request.guides !== undefined && {
      guides: each((_, { group }) => guidesOf.get(group)?.length ?? 0),
      guide_agreement: each((at) => ofProfiles(compared?.agreement, at)),
    }),
    top_genes: each((_, { rows }) => symbolsOf(rows.subarray(0, topGenes), context).join(';')),
    similar: similar.map((one) => (one === undefined ? '' : nameOf(one.at))),
    similarity: similar.map((one) => one?.correlation ?? NaN),
  };
}

function mostSimilar(
  row: number | undefined,
  compared: Compared | undefined,
): { at: number; correlation: number } | undefined {
  if (row === undefined || compared === undefined) return undefined;
  const count = compared.places.length;
  let best = -1;
  for (let other = 0; other < count; other++) {
    if (other === row) continue;
    if (best < 0 || compared.correlations[row * count + other]! > compared.correlations[row * count + best]!)
      best = other;
  }
  return { at: compared.places[best]!, correlation: compared.correlations[row * count + best]! };
}

function headOf({ request, screen, energies }: Findings): string[] {
  return [
    `Controls: ${listedNames(screen.controlNames, namesListed)}`,
    `Limits: adjusted p < ${request.pvals_adj}, |log2 fold change| >= ${request.logfoldchanges}, ${request.min_cells} cells or more`,
    ...(energies.dimensions > 0
      ? [
          `Energy distances: ${request.permutations} permutations${request.batch === undefined ? '' : ` within ${request.batch}`}, seeded`,
        ]
      : []),
  ];
}

function cautionsOf(findings: Findings, answer: PerturbationsResult, context: Services): Cautions {
  const { request, screen, tested, targets, compared, energies } = findings;
  const { inflation } = tested.null;
  const byChance = answer.null.changed_most;
  const unchanged = targets.flatMap(({ check }, at) =>
    check === 'not changed' || check === 'opposite'
      ? [screen.groups.names[tested.perturbations[at]!.group]!]
      : [],
  );
  return [
    ...valueCautions(context.dataset),
    ...context.filterCautions(),
    { code: 'cells-as-replicates', numbers: { cells: screen.groups.cellCount } },
    ...when(inflation > limits.inflation && byChance > 0, {
      code: 'controls-differ',
      numbers: { inflation, changed: byChance, parts: tested.null.changed.length },
    }),
    ...when(unchanged.length > 0, {
      code: 'targets-not-changed',
      numbers: {
        unchanged: unchanged.length,
        measured: answer.targets.measured,
        names: unchanged.slice(0, 5),
      },
    }),
    ...when(screen.apart > 0, {
      code: 'batches-without-controls',
      numbers: { cells: screen.apart, column: request.batch ?? '' },
    }),
    // The smallest p-value passes alone only among few.
    ...when(
      energies.dimensions > 0 &&
        answer.energy!.smallest_p * tested.perturbations.length >
          request.pvals_adj * Math.max(1, answer.energy!.differing),
      {
        code: 'too-few-permutations',
        numbers: { smallest: answer.energy?.smallest_p ?? 1, tests: tested.perturbations.length },
      },
    ),
    ...when(answer.controls.cells < limits.controls, {
      code: 'few-cells',
      numbers: { cells: answer.controls.cells, limit: limits.controls },
    }),
    ...when(energies.dimensions === 0, { code: 'cells-without-components' }),
    ...leftOutCautions(
      { leftOut: screen.small, empty: [], unlabelled: screen.unlabelled },
      { minCells: request.min_cells, column: request.groupby, nowhere: 'test' },
    ),
    ...when(compared !== undefined, {
      code: 'same-controls',
      numbers: { median: compared ? medianBetween(compared) : 0 },
    }),
    { code: 'multiple-testing', numbers: { tests: tested.perturbations.length * tested.all.geneCount } },
  ];
}

function when(applies: boolean, caution: Cautions[number]): Cautions {
  return applies ? [caution] : [];
}

function medianBetween({ correlations, places }: Compared): number {
  const count = places.length;
  return median(correlations.filter((_, at) => at % count < Math.floor(at / count)));
}

function drawingOf({ request, screen, tested, energies, order, compared }: Findings, context: Services) {
  const nameOf = (at: number) => screen.groups.names[tested.perturbations[at]!.group]!;
  return {
    perturbations: order.map((at) => {
      const own = tested.perturbations[at]!;
      return {
        name: nameOf(at),
        cells: screen.groups.sizes[own.group]!,
        changed: changedOf(own),
        distance: energies.distances[own.group]!,
        adjustedP: energies.adjusted[own.group]!,
      };
    }),
    limit: request.pvals_adj,
    null: { by: screen.partsBy, ...tested.null },
    ...matricesOf(compared, tested, nameOf, context),
  };
}

/** The profiles in their order, cut to the genes that change most in each perturbation by turns. */
function matricesOf(
  compared: Compared | undefined,
  { perturbations: tested }: TestedScreen,
  nameOf: (at: number) => string,
  context: Services,
) {
  if (compared === undefined) return { names: [], genes: [], differences: [], correlations: [] };
  const { places, order, geneOrder, rows, values, correlations } = compared;
  const columnOf = new Map(Array.from(rows, (row, column) => [row, column]));
  const shown = new Set<number>();
  for (let turn = 0; turn < genesShown && shown.size < genesShown; turn++) {
    for (const at of places) {
      const column = columnOf.get(tested[at]!.rows[turn] ?? -1);
      if (column !== undefined && shown.size < genesShown) shown.add(column);
    }
  }
  const columns = geneOrder.filter((column) => shown.has(column));
  const count = places.length;
  return {
    names: order.map((row) => nameOf(places[row]!)),
    genes: symbolsOf(
      columns.map((column) => rows[column]!),
      context,
    ),
    differences: Float64Array.from(
      order.flatMap((row) => columns.map((column) => values[row * rows.length + column]!)),
    ),
    correlations: Float64Array.from(
      order.flatMap((row) => order.map((other) => correlations[row * count + other]!)),
    ),
  };
}
