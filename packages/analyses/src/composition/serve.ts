import { minTypes } from '@cellfolio/analysis';
import { countText, plural, quotedHead, typeColumn } from '@cellfolio/model';
import type { ComparedSamples, Context, SampleSum } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { covariatesText, degreesText, leftOutText, nameOfB } from '../fields.ts';
import { serve } from '../serve.ts';
import type { steps, TestedCategory, TestedShares } from './compute.ts';
import { composition, type CompositionRequest, scales } from './declare.ts';

const minCells = 2;
/** Shares of categories with fewer cells, over all samples, are mostly chance. */
const rareCells = 20;
const maxNamesListed = 5;

export const analysis = serve(composition, {
  async run(request, context: Context<typeof steps>) {
    const by =
      request.by === undefined
        ? (typeColumn(context.dataset) ?? refuseWithoutCategories(context))
        : await context.groupColumn(request.by, 'by');
    const compared = await context.comparedSamples(request, {
      by,
      minCells,
      otherwise: 'categories like the others, and their cells count in every share',
    });
    const { sums, samples, both, record, design, contrast, cells } = compared;
    context.report('Testing the shares');
    const tested = await context.compute('testShares', {
      by,
      ...cells,
      sides: sums.map(({ side }) => (side === 'a' ? 0 : 1)),
      design,
      contrast,
      transform: request.transform,
    });
    if ('refusal' in tested) return refuseCategories(tested, by, context);
    const { categories, residualDegrees: degrees, priorDegrees } = tested;
    const parameters = { ...request, ...compared.request, ...(request.by !== undefined && { by }) };
    const [a, b] = [cellsOn(sums, 'a'), cellsOn(sums, 'b')];
    const [samplesA, samplesB] = [samplesOn(sums, 'a'), samplesOn(sums, 'b')];
    const model = `moderated t-tests of ${scales[request.transform][0].toLowerCase()}, ${record.formula}`;
    const names = { a: parameters.a.name, b: nameOfB(parameters, b) };
    return {
      request: parameters,
      result: {
        by,
        test: `${model}, ${samplesA} + ${samplesB} samples, ${plural(degrees, 'residual degree')} of freedom`,
        a: { name: names.a, cells: a },
        b: { name: names.b, cells: b },
        samples: { ...samples, a: samplesA, b: samplesB, both },
        design: {
          ...record,
          residual_df: degrees,
          prior_df: priorDegrees === Infinity ? null : priorDegrees,
        },
        categories: categories.length,
        differing: categories.filter(({ adjustedP }) => adjustedP < request.pvals_adj).length,
      },
      table: tableOf(categories, request.transform),
      cautions: cautionsOf(parameters, by, compared, categories, context),
      drawing: {
        ...names,
        groupTitle: context.titleOf(by),
        test: model,
        transform: request.transform,
        samples: sums,
        ...(record.paired && { pairs: pairsOf(sums) }),
        categories,
        threshold: request.pvals_adj,
      },
    };
  },
  facts({ request, result: { a, b, by, test, samples, design, categories, differing } }, { titleOf }) {
    const sideText = ({ name, cells }: typeof a, count: number) =>
      `${name}, ${plural(count, 'sample')}, ${plural(cells, 'cell')}`;
    const leftOut = leftOutText(design.left_out);
    const effect = request.transform === 'logit' ? 'natural log odds' : 'arcsine square roots';
    return [
      { code: 'a', title: 'A', message: sideText(a, samples.a) },
      { code: 'b', title: 'B', message: sideText(b, samples.b) },
      {
        code: 'differing',
        title: 'Differing',
        message: `${countText(differing)} of ${plural(categories, 'category', 'categories')}, adjusted p < ${request.pvals_adj}`,
      },
      { code: 'by', title: 'Shares of', message: `${titleOf(by)}, among the cells of each sample on a side` },
      {
        code: 'test',
        title: 'Test',
        message: `${test} (${degreesText(design)}), as propeller of the package speckle without its robust option`,
      },
      { code: 'effect', title: 'Effect', message: `difference in the ${effect} of a share, A minus B` },
      {
        code: 'replicates',
        title: 'Replicates',
        message: `${titleOf(samples.column)} (${samples.reason}): ${countText(samples.a)} in A, ${countText(samples.b)} in B, ${countText(samples.both)} in both${design.paired ? ', compared in pairs' : ''}; of fewer than ${request.min_sample_cells} cells on a side left out on that side`,
      },
      ...(design.columns.length > 1
        ? [{ code: 'covariates', title: 'Covariates', message: covariatesText(design).join('; ') }]
        : []),
      ...(leftOut.length > 0 ? [{ code: 'left-out', title: 'Left out', message: leftOut.join('; ') }] : []),
    ];
  },
});

function refuseWithoutCategories(context: Context): never {
  return context.refuse(
    'no_categories',
    'The dataset has neither cell types nor clusters. Choose the column whose shares to compare.',
    { field: 'by', problem: 'is not known' },
  );
}

function refuseCategories(
  { refusal, categoryCount }: Extract<TestedShares, { refusal: unknown }>,
  by: string,
  context: Context,
): never {
  const column = quotedHead(context.titleOf(by), 80);
  const message =
    refusal === 'too_few_categories'
      ? `These samples have cells of ${plural(categoryCount, 'category', 'categories')} of ${column}: the test needs at least ${minTypes} to estimate how much shares vary. Choose another column, or larger sets of cells.`
      : `${column} has ${countText(categoryCount)} categories, probably cells or clones. Choose a column of groups of cells.`;
  return context.refuse(refusal, message, { field: 'by', problem: `has ${categoryCount} categories` });
}

function tableOf(categories: readonly TestedCategory[], transform: CompositionRequest['transform']) {
  const all = <Value>(valueOf: (category: TestedCategory) => Value) => categories.map(valueOf);
  const effect = all((one) => one.effect);
  return {
    category: all((one) => one.name),
    share_a: all((one) => one.shareA),
    share_b: all((one) => one.shareB),
    ...(transform === 'logit' ? { log_odds: effect } : { asin_difference: effect }),
    ci_low: all((one) => one.low),
    ci_high: all((one) => one.high),
    ratio: all(({ shareA, shareB }) => (shareB > 0 ? shareA / shareB : NaN)),
    scores: all((one) => one.t),
    pvals: all((one) => one.p),
    pvals_adj: all((one) => one.adjustedP),
    cells_a: all((one) => one.cellsA),
    cells_b: all((one) => one.cellsB),
  };
}

type Cautions = CodedCaution<(typeof composition)['cautions']>[];

function cautionsOf(
  request: CompositionRequest,
  by: string,
  compared: ComparedSamples,
  categories: readonly TestedCategory[],
  { dataset: { roles } }: Pick<Context, 'dataset'>,
) {
  const metadata = new Map(Object.entries(roles.metadata));
  const sidesOf = (isSo: (filter: CompositionRequest['a']['filter']) => boolean) =>
    (['a', 'b'] as const).flatMap((side) =>
      request[side] && isSo(request[side].filter) ? [side.toUpperCase()] : [],
    );
  const ofCategories = sidesOf((filter) => {
    const fields = filter.patient_metadata_filter ? Object.keys(filter.patient_metadata ?? {}) : [];
    return (
      fields.some((field) => (metadata.get(field) ?? field) === by) ||
      (filter.cell_type_filter === true && by === roles.cellType)
    );
  });
  const ofCells = sidesOf(
    ({ cells_filter: cells, gene_filter: gene, signature_filter: signature }) =>
      cells === true || gene === true || signature === true,
  );
  const rare = categories.filter(
    ({ cellsA, cellsB, shares }) =>
      cellsA + cellsB < rareCells || 2 * shares.filter((share) => share === 0).length >= shares.length,
  );
  const listed = rare.slice(0, maxNamesListed);
  const own: Cautions = [];
  if (ofCategories.length > 0) own.push({ code: 'sets-of-categories', numbers: { sides: ofCategories } });
  if (ofCells.length > 0) own.push({ code: 'sets-of-chosen-cells', numbers: { sides: ofCells } });
  if (rare.length > 0) {
    own.push({
      code: 'rare-categories',
      numbers: {
        limit: rareCells,
        categories: listed.map(({ name }) => name),
        cells: listed.map(({ cellsA, cellsB }) => cellsA + cellsB),
        categoryCount: rare.length,
      },
    });
  }
  if (compared.unlabelled > 0) {
    own.push({ code: 'unlabelled-cells', numbers: { unlabelled: compared.unlabelled } });
  }
  own.push({ code: 'shares-add-up' }, { code: 'multiple-testing', numbers: { tests: categories.length } });
  return [...compared.cautions, ...own];
}

function cellsOn(sums: readonly SampleSum[], side: 'a' | 'b'): number {
  return sums.reduce((total, sum) => total + (sum.side === side ? sum.cells : 0), 0);
}

function samplesOn(sums: readonly SampleSum[], side: 'a' | 'b'): number {
  return sums.filter((sum) => sum.side === side).length;
}

function pairsOf(sums: readonly SampleSum[]): [number, number][] {
  return sums.flatMap(({ name, side }, at): [number, number][] => {
    if (side !== 'a') return [];
    const other = sums.findIndex((sum) => sum.name === name && sum.side === 'b');
    return other < 0 ? [] : [[at, other]];
  });
}
