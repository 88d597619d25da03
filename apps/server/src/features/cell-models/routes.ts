import {
  cellModelAnswer,
  cellModelRequest,
  cellModels,
  type CellModelAnswer,
  type CellModelParameters,
  columnTitle,
  csvComments,
  type FigureContent,
  type ModelReason,
  type ModelSuggestion,
  type ModelVote,
  unclear,
} from '@cellfolio/contract';
import type { GroupVotes } from '@cellfolio/analysis';
import {
  type ResultCaution,
  countText,
  noteLines,
  type ResultCaution as Caution,
  listedNames,
  pluralWord,
} from '@cellfolio/model';
import type { Route } from '../../runtime/http/routes.ts';
import {
  onActiveCells,
  type SelectionServices,
  watched,
  definitionLines,
  notesOf,
  type Selection,
  sourceOf,
} from '../selection/index.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { columnLabel } from '../../runtime/column-names.ts';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import { type ModelFiles, headOf } from './model-files.ts';
import type { CellClassifications, Classification } from './classifications.ts';

export interface CellModelServices extends SelectionServices, CellModelDeps {
  cellModels: ModelFiles;
}

const postClassifyCells: Route<CellModelServices> = async (app, { services }) => {
  app.post(
    '/api/classify-cells',
    {
      config: { scope: 'analyse' },
      schema: {
        summary: 'Classify cells by a trained model, with a vote of each group of a column',
        tags: ['analyses'],
        body: cellModelRequest,
        response: { 200: cellModelAnswer },
      },
    },
    async (request) => {
      const { dataset, cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => classifyCells(services, selection, parameters, call),
        { dataset, cells },
      );
    },
  );
};

const getCellModels: Route<CellModelServices> = async (app, { services }) => {
  app.get(
    '/api/cell-models',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List the models that cells can be classified by',
        tags: ['analyses'],
        response: { 200: cellModels },
      },
    },
    async (request) => watched(services, request, (call) => services.cellModels.all(call)),
  );
};

export const cellModelRoutes = [postClassifyCells, getCellModels];

interface CellModelDeps {
  figures: FigureService;
  classifications: CellClassifications;
}

/** Genes listed per type in a group, and the number of them that are drawn. */
const genesListed = 10;
const genesDrawn = 4;
const maxDrawn = 60;

async function classifyCells(
  { figures, classifications }: CellModelDeps,
  selection: Selection,
  request: CellModelParameters,
  call: CallContext,
): Promise<CellModelAnswer> {
  const result = await classifications.run(selection, request, call);
  const { model, modelGenes, names, groups } = result;
  const parameters = { ...request, groupby: result.groupby };
  const suggestions = groups.flatMap((votes, group) =>
    votes.cells === 0 ? [] : [suggestionOf(result, { votes, group, name: names[group]! }, parameters)],
  );
  const cautions = classificationCautions(result, suggestions);
  const dotGenes = genesOfDots(suggestions);
  const content: FigureContent = {
    kind: 'gene-dot-plot',
    genes: dotGenes.flatMap(({ genes }) => genes),
    by: { column: result.groupby },
    brackets: dotGenes.map(({ name, genes }) => ({ name, count: genes.length })),
    scale: 'none',
    order: 'column',
  };
  const hasFigure = dotGenes.length > 0;
  call.onProgress({ stage: 'Drawing the genes', done: 0, total: 1 });
  const figure = hasFigure ? await figures.draw(selection, content, call) : undefined;
  const head = csvComments(headLines(selection, { result, parameters, cautions }));
  const unclearCells = suggestions
    .filter(({ suggestion }) => suggestion === null)
    .reduce((sum, { cells }) => sum + cells, 0);
  return {
    types_csv: `${head}${tableOf(result, suggestions)}`,
    cells_csv: `${head}${csvLine(['barcode', 'group', 'cell_type', 'probability'])}${result.rows}`,
    ...figureFields('dotplot', figure),
    // Labels are of its cells, whether or not there is anything to draw.
    source: sourceOf(selection, hasFigure ? content : { kind: 'obs-umap', column: result.groupby }),
    parameters,
    group_title: columnLabel(selection.manifest.roles, result.groupby, selection.own).alone,
    model: headOf(request.model, model),
    genes: { found: modelGenes.length, total: model.genes.length },
    cells: { classified: result.cells, unclear: unclearCells },
    suggestions,
    ...notesOf(selection, cautions),
  };
}

interface GroupResult {
  votes: GroupVotes;
  group: number;
  name: string;
}

function suggestionOf(
  result: Classification,
  of: GroupResult,
  { min_probability, min_share, min_margin }: CellModelParameters,
): ModelSuggestion {
  const { votes, name } = of;
  const [first, second] = votes.order;
  const best = voteOf(result, of, first!);
  const next = second === undefined ? null : voteOf(result, of, second);
  const margin = best.share - (next?.share ?? 0);
  const reasons: ModelReason[] = [
    ...(best.probability < min_probability ? (['low-probability'] as const) : []),
    ...(best.share < min_share ? (['small-share'] as const) : []),
    ...(margin < min_margin ? (['small-margin'] as const) : []),
  ];
  const suggestion = reasons.length === 0 ? best.type : null;
  return { group: name, cells: votes.cells, suggestion, reasons, margin, best, runner_up: next };
}

function voteOf(result: Classification, { votes, group }: GroupResult, type: number): ModelVote {
  const cells = votes.votes[type]!;
  return {
    type: result.model.types[type]!,
    cells,
    share: cells / Math.max(1, votes.cells),
    probability: votes.probabilities[type]!,
    genes: topGenes(result, group, type),
  };
}

/** Genes that raise the score of a type because the group expresses them. */
function topGenes({ model, modelGenes, scaled, names }: Classification, group: number, type: number) {
  const types = model.types.length;
  const added = Array.from(modelGenes, (gene, at) => {
    const coefficient = model.coefficients[gene * types + type]!;
    const mean = scaled[at * names.length + group]!;
    // A missing gene can raise a score too, but there is nothing to look at.
    return { gene: model.genes[gene]!, contribution: coefficient > 0 && mean > 0 ? coefficient * mean : 0 };
  });
  return added
    .filter(({ contribution }) => contribution > 0)
    .sort((one, other) => other.contribution - one.contribution)
    .slice(0, genesListed);
}

/** The top genes of the types that win somewhere, each gene once. */
function genesOfDots(suggestions: readonly ModelSuggestion[]) {
  const usedGenes = new Set<string>();
  const byType = new Map<string, string[]>();
  for (const { best } of suggestions) {
    const genes = byType.get(best.type) ?? [];
    byType.set(best.type, genes);
    for (const { gene } of best.genes) {
      if (genes.length === genesDrawn || usedGenes.size === maxDrawn) break;
      if (usedGenes.has(gene)) continue;
      usedGenes.add(gene);
      genes.push(gene);
    }
  }
  return [...byType].filter(([, genes]) => genes.length > 0).map(([name, genes]) => ({ name, genes }));
}

/** One line for every type that is the best of a cell, the first of a group with its suggestion. */
function tableOf({ model, names, groups }: Classification, suggestions: readonly ModelSuggestion[]): string {
  const suggested = new Map(suggestions.map(({ group, suggestion }) => [group, suggestion ?? unclear]));
  const lines = groups.flatMap(({ votes, probabilities, order, cells }, group) =>
    Array.from(order)
      .filter((type) => votes[type]! > 0)
      .map((type, place) =>
        csvLine([
          names[group]!,
          place + 1,
          model.types[type]!,
          place === 0 ? suggested.get(names[group]!)! : '',
          votes[type]!,
          votes[type]! / cells,
          probabilities[type]!,
        ]),
      ),
  );
  return `${csvLine(['group', 'rank', 'cell_type', 'suggestion', 'cells', 'share', 'probability'])}${lines.join('')}`;
}

function headLines(
  selection: Selection,
  {
    result: { model, modelGenes },
    parameters,
    cautions,
  }: { result: Classification; parameters: CellModelParameters; cautions: readonly ResultCaution[] },
): string[] {
  const { groupby, min_probability, min_share, min_margin } = parameters;
  const about = [model.source, model.licence === '' ? '' : `license: ${model.licence}`].filter(Boolean);
  return [
    ...definitionLines(selection, { call: 'classify-cells', parameters }),
    `Model: ${[`${model.name} (${parameters.model})`, ...about].join('; ')}; ${countText(modelGenes.length)} of its ${countText(model.genes.length)} genes are in the dataset`,
    'Probabilities: as CellTypist has them (Domínguez Conde et al. 2022): log-normalized values scaled by the means and standard deviations of the training, cut at 10, times the coefficients of a type; the logistic function of the sum. They are of each type by itself and do not add up to 1',
    `Groups: ${columnTitle(groupby, selection.own)}; a group gets the type of most of its cells, and is ${unclear} where that has a mean probability below ${min_probability}, is the best of less than ${min_share} of the cells, or is not ${min_margin} of them above the next`,
    ...noteLines(cautions),
  ];
}

/** Above this share of missing genes, scores depend on few of the genes that the model was trained with. */
const manyMissing = 0.2;
const fewCells = 30;
const maxNamesListed = 5;

function classificationCautions(
  { model, modelGenes, renamed }: Classification,
  suggestions: readonly ModelSuggestion[],
): Caution[] {
  const missing = model.genes.length - modelGenes.length;
  const small = suggestions.filter(({ cells }) => cells < fewCells);
  const isUnclear = suggestions.filter(({ suggestion }) => suggestion === null).length;
  const lacking: Caution[] =
    missing >= manyMissing * model.genes.length
      ? [
          {
            code: 'model-genes-missing',
            message: `The dataset lacks ${countText(missing)} of the ${countText(model.genes.length)} genes of the model: probabilities rely on the others and are less certain than they look. Check the gene names.`,
            numbers: { missing, genes: model.genes.length },
          },
        ]
      : [];
  const smallGroups: Caution[] =
    small.length > 0
      ? [
          {
            code: 'small-groups',
            message: `Fewer than ${fewCells} cells: ${listedNames(
              small.map(({ group, cells }) => `${group} (${cells})`),
              maxNamesListed,
            )}. A few different cells would change their vote: merge them, or check their genes.`,
            numbers: { limit: fewCells, groupCount: small.length },
          },
        ]
      : [];
  return [
    {
      code: 'model-knows-its-types',
      message: `The model knows ${countText(model.types.length)} types: a cell of any other type gets the most similar one, sometimes with a high probability. ${countText(isUnclear)} of ${countText(suggestions.length)} groups ${pluralWord(isUnclear, 'is', 'are')} Unclear. Check the genes before you label cells.`,
      numbers: { types: model.types.length, groups: suggestions.length, unclear: isUnclear },
    },
    ...lacking,
    ...otherNameCautions(renamed, 'the model'),
    ...smallGroups,
  ];
}
