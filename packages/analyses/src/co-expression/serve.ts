import {
  type AutocorrelationSetting,
  cellDepth,
  type GeneModel,
  type LocalSums,
  normalUpperTail,
  SeededShuffle,
  type StandardisedGenes,
} from '@cellfolio/analysis';
import {
  countCautions,
  countText,
  noCountsReason,
  percentText,
  plural,
  type ResultCaution,
  sharedCopy,
  valueCautions,
} from '@cellfolio/model';
import type { Context, GeneRange } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { serve } from '../serve.ts';
import type { FoundModules, ModuleCheck, steps, TestedGenes } from './compute.ts';
import { coExpression, type CoExpressionRequest, type CoExpressionResult, limits } from './declare.ts';

type Parameters = CoExpressionRequest & { readonly model: GeneModel };
type Services = Context<typeof steps>;

const [nullGenes, nullShuffles, nullP] = [200, 5, 0.05];
/** Standardised values of the paired genes held in memory at once, four bytes each: 500 genes in 160,000 cells. */
const maxValues = 8e7;
/** Multiplications per task: about 50 ms of work. */
const workOfTask = 4e7;
/** With fewer cells, neighbourhoods are not worth a test. */
const minGraphCells = 50;
/** With fewer cells, a few other cells would change the modules. */
const fewCells = 300;
/** Share of p-values below 0.05, of values that are shuffled, which chance alone hardly gives. */
const tooOftenBelow = 0.08;
const hubsNamed = 5;

export const analysis = serve(coExpression, {
  async run(request, context: Services) {
    const { expression, symbols } = context.dataset;
    const parameters = { ...request, model: request.model ?? (expression.hasCounts ? 'danb' : 'normal') };
    if (parameters.model === 'danb' && !expression.hasCounts) refuseWithoutCounts(context);
    const cells = await analysedCells(parameters, context);
    const tested = await testGenes(cells, parameters, context);
    const shuffled = await testShuffled(cells, tested, context);
    const sums = await correlate(cells, tested.rows, context);
    context.report('Grouping the genes');
    const modules = await context.compute(
      'group',
      {
        tested,
        sums,
        cells: cells.rows.length,
        minGenes: parameters.min_module_genes,
        fdr: parameters.fdr,
      },
      { isLong: true },
    );
    const samples = (await context.sampleColumn())?.column;
    const checks = await checkModules(modules, cells, samples, context);
    const nameOf = (row: number) => symbols[row] ?? String(row);
    const result = {
      model: modelText(parameters.model),
      neighbors: `${cells.text}, with Gaussian weights`,
      cells: { analysed: cells.rows.length, without_components: cells.without },
      genes: { tested: tested.tested, passing: tested.passing, paired: tested.rows.length },
      shuffled,
      threshold: modules.threshold,
      modules: modules.modules.map(({ name, rows, mitochondrial, ribosomal }, at) => ({
        name,
        genes: Array.from(rows, nameOf),
        depth_correlation: orNull(checks[at]?.depth),
        samples_share: orNull(checks[at]?.samples),
        mitochondrial_share: mitochondrial,
        ribosomal_share: ribosomal,
      })),
      samples: samples ?? null,
    };
    return {
      request: parameters,
      result,
      table: modules.table,
      cautions: cautionsOf(parameters, result, context),
      drawing: {
        genes: Array.from(modules.order, (row, at) => ({
          gene: nameOf(row),
          module: modules.moduleOf[at]!,
          withinModule: modules.withinModule[at]!,
        })),
        scores: modules.scores,
        modules: modules.modules.map(({ name, rows }) => ({
          name,
          size: rows.length,
          hubs: Array.from(rows.subarray(0, hubsNamed), nameOf),
        })),
        threshold: modules.threshold,
        cells: cells.rows.length,
        tested: tested.tested,
        passing: tested.passing,
      },
    };
  },
  facts({ request, result: { modules, genes, cells, model, neighbors, shuffled, threshold } }) {
    const inModules = modules.reduce((sum, one) => sum + one.genes.length, 0);
    return [
      {
        code: 'found',
        title: 'Modules',
        message: `${countText(modules.length)} of ${plural(inModules, 'gene')}`,
      },
      {
        code: 'passing',
        title: 'Local autocorrelation',
        message: `${countText(genes.passing)} of ${plural(genes.tested, 'gene')}`,
      },
      { code: 'cells', title: 'Cells', message: countText(cells.analysed) },
      { code: 'values', title: 'Values', message: model },
      { code: 'graph', title: 'Neighborhoods', message: neighbors },
      {
        code: 'genes',
        title: 'Genes',
        message: `local autocorrelation as in Hotspot (DeTomaso and Yosef 2021) of genes in ${request.min_cells} cells or more, adjusted p < ${request.fdr}; pairs of the ${countText(genes.paired)} with the highest Z, at most ${countText(request.max_genes)}`,
      },
      ...(shuffled === null
        ? []
        : [
            {
              code: 'null',
              title: 'Null',
              message: `p-values allow for the skewness of Z under the null; of ${plural(shuffled.genes, 'gene')} with values shuffled over the cells ${shuffled.shuffles} times, p < ${nullP} in ${percentText(shuffled.below)} (${percentText(shuffled.below_as_normal)} if Z is assumed normal, as in Hotspot); Z has a standard deviation of ${shuffled.deviation.toFixed(2)}`,
            },
          ]),
      {
        code: 'cut',
        title: 'Cut',
        message: `average linkage down to a local correlation of Z ${threshold.toFixed(3)}; at least ${request.min_module_genes} genes per module, cores only`,
      },
    ];
  },
});

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function modelText(model: GeneModel): string {
  return model === 'danb'
    ? 'raw counts, expected from the total counts of each cell (depth-adjusted negative binomial)'
    : 'expression values, expected from the summed expression of each cell (normal)';
}

function refuseWithoutCounts({ dataset: { warnings }, refuse }: Services): never {
  return refuse(
    'no_raw_counts',
    `The model danb needs raw counts, and the dataset has none.${noCountsReason(warnings)} Choose the model normal, which takes the expression values, or upload a file with raw counts in X, raw or layers/counts.`,
    { field: 'model', problem: 'needs raw counts, which the dataset does not have' },
  );
}

interface AnalysedCells {
  /** Row in obs of each. */
  readonly rows: Int32Array;
  readonly without: number;
  /** The origin of the graph. */
  readonly text: string;
  readonly setting: AutocorrelationSetting;
  readonly model: GeneModel;
}

async function analysedCells(
  { graph: chosen, n_neighbors: k, model, min_cells: minCells }: Parameters,
  context: Services,
): Promise<AnalysedCells> {
  const { cells, neighbours, without, text } = await context.cellGraph({
    graph: chosen,
    k,
    minCells: minGraphCells,
    analysis: 'A co-expression analysis',
    advice: 'Activate a subset of the cells of interest.',
  });
  const { cellCount } = context.dataset;
  const weighed = await context.compute('weigh', { neighbours, cells, cellCount }, { isLong: true });
  const { placeOf } = weighed;
  const totals = await context.cellTotals({ ofCounts: model !== 'normal', placeOf, count: cells.length });
  const depth = cellDepth(sharedCopy(totals));
  return { rows: cells, without, text, setting: { ...weighed, depth, model, minCells }, model };
}

async function testGenes(
  { setting, model }: AnalysedCells,
  { fdr, max_genes: maxGenes }: Parameters,
  context: Services,
): Promise<TestedGenes> {
  const { cellCount } = setting.graph;
  const genesOfTask = Math.max(1, Math.floor(workOfTask / workOfGene(setting)));
  const ranges = (await context.geneBlocks(model !== 'normal')).flatMap((one) => slices(one, genesOfTask));
  const inputs = ranges.map(({ from, to }) => ({ setting, model, from, to }));
  const blocks = await context.computeAll('test', inputs, 'Testing the genes');
  return context.compute('select', {
    blocks,
    fdr,
    maxGenes: Math.min(maxGenes, Math.floor(maxValues / cellCount)),
  });
}

/** For pairs of cells, and for the cells themselves. */
function workOfGene({ graph: { neighbours, cellCount } }: AutocorrelationSetting): number {
  return neighbours.length + 4 * cellCount;
}

/** Tests some of the genes with shuffled cells; null if no gene was tested. */
async function testShuffled(
  { setting, model }: AnalysedCells,
  { z: tested }: TestedGenes,
  context: Services,
): Promise<CoExpressionResult['shuffled']> {
  const genes = Int32Array.from(tested.keys()).filter((row) => !Number.isNaN(tested[row]));
  if (genes.length === 0) return null;
  const order = SeededShuffle.of(0, genes.length).next();
  const rows = Int32Array.from(order.subarray(0, nullGenes), (place) => genes[place]!).sort();
  const genesOfTask = Math.max(1, Math.floor(workOfTask / (nullShuffles * workOfGene(setting))));
  const inputs = slices({ from: 0, to: rows.length }, genesOfTask).map(({ from, to }) => ({
    setting,
    model,
    rows: rows.slice(from, to),
    shuffles: nullShuffles,
  }));
  const parts = await context.computeAll('shuffle', inputs, 'Testing shuffled cells');
  const z = parts.flatMap((part) => part.z);
  const p = parts.flatMap((part) => part.p);
  const share = (ps: readonly number[]) => ps.filter((one) => one < nullP).length / ps.length;
  const mean = z.reduce((sum, one) => sum + one, 0) / z.length;
  return {
    genes: rows.length,
    shuffles: nullShuffles,
    deviation: Math.sqrt(z.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (z.length - 1)),
    below: share(p),
    below_as_normal: share(z.map(normalUpperTail)),
  };
}

async function correlate(
  { setting, model }: AnalysedCells,
  rows: Int32Array,
  context: Services,
): Promise<LocalSums[]> {
  const { graph } = setting;
  const { cellCount } = graph;
  const into = new Float32Array(new SharedArrayBuffer(4 * rows.length * cellCount));
  const genes: StandardisedGenes = { count: rows.length, values: into };
  const genesOfTask = Math.max(1, Math.floor(workOfTask / (8 * cellCount)));
  const reads = slices({ from: 0, to: rows.length }, genesOfTask).map(({ from, to }) => ({
    setting,
    model,
    rows: rows.slice(from, to),
    at: from,
    into,
  }));
  await context.computeAll('standardise', reads, 'Reading the genes');
  const pairs = pairSlices(rows.length, cellCount).map(({ from, to }) => ({ genes, graph, from, to }));
  return context.computeAll('correlate', pairs, 'Correlating the genes');
}

async function checkModules(
  { modules }: FoundModules,
  { rows: cells, setting }: AnalysedCells,
  samples: string | undefined,
  context: Services,
): Promise<(ModuleCheck | undefined)[]> {
  const checks: (ModuleCheck | undefined)[] = [];
  for (const { rows } of modules) {
    const scores = await context.score([...rows]);
    const { totals } = setting.depth;
    checks.push(scores && (await context.compute('check', { scores, cells, totals, samples })));
  }
  return checks;
}

function slices({ from, to }: GeneRange, step: number): GeneRange[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => ({
    from: from + at * step,
    to: Math.min(to, from + (at + 1) * step),
  }));
}

/** Genes are correlated only with later ones, so the first ones are the most work. */
function pairSlices(length: number, cellCount: number): GeneRange[] {
  const ranges: GeneRange[] = [];
  for (let from = 0; from < length;) {
    let to = from;
    let work = 0;
    do work += (length - to++) * cellCount;
    while (to < length && work < workOfTask);
    ranges.push({ from, to });
    from = to;
  }
  return ranges;
}

type Cautions = (CodedCaution<(typeof coExpression)['cautions']> | ResultCaution)[];

function cautionsOf(
  { model }: Parameters,
  { modules, samples, cells, genes, shuffled }: CoExpressionResult,
  { dataset }: Services,
): Cautions {
  /** The values at or above a limit. */
  const beyond = (valueOf: (one: (typeof modules)[number]) => number | null, limit: number): number[] =>
    modules.map((one) => Math.abs(valueOf(one) ?? 0)).filter((value) => value >= limit);
  const cautions: Cautions =
    model === 'danb'
      ? countCautions(dataset)
      : valueCautions(dataset, 'correlations are of the values as they are');
  const depth = beyond((one) => one.depth_correlation, limits.depth);
  if (depth.length > 0) {
    const numbers = { modules: depth.length, largest: Math.max(...depth) };
    cautions.push({ code: 'module-follows-depth', numbers });
  }
  const ofSamples = beyond((one) => one.samples_share, limits.samples);
  if (ofSamples.length > 0 && samples !== null) {
    const numbers = { column: samples, modules: ofSamples.length, largestShare: Math.max(...ofSamples) };
    cautions.push({ code: 'module-follows-samples', numbers });
  }
  for (const kind of ['mitochondrial', 'ribosomal'] as const) {
    const some = beyond((one) => one[`${kind}_share`], limits.ofKind);
    if (some.length === 0) continue;
    const numbers = { modules: some.length, largestShare: Math.max(...some) };
    cautions.push(
      kind === 'mitochondrial'
        ? { code: 'mitochondrial-module', numbers }
        : { code: 'ribosomal-module', numbers },
    );
  }
  const { analysed, without_components: without } = cells;
  if (analysed < fewCells) cautions.push({ code: 'few-cells', numbers: { cells: analysed } });
  cautions.push({ code: 'graph-of-same-data', numbers: { tested: genes.tested, cells: analysed } });
  if (shuffled !== null && shuffled.below >= tooOftenBelow) {
    const { genes: few, shuffles, below } = shuffled;
    cautions.push({ code: 'p-values-too-small', numbers: { genes: few, shuffles, below } });
  }
  const { passing, paired } = genes;
  if (passing > paired) cautions.push({ code: 'genes-not-paired', numbers: { passing, paired } });
  if (model !== 'danb') cautions.push({ code: 'model-of-expression', numbers: { tested: genes.tested } });
  if (without > 0) cautions.push({ code: 'cells-without-components', numbers: { without } });
  return cautions;
}
