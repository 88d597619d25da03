import { cellModelParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells, namedDataset } from './subsets.ts';

/** `POST /api/classify-cells`: types of cells by a trained model, with the votes of groups. */
export const cellModelRequest = cellModelParameters
  .extend({ dataset: namedDataset.optional(), cells: chosenCells.optional() })
  .meta({ id: 'CellModelRequest' });
export type CellModelRequest = z.input<typeof cellModelRequest>;

const count = z.number().int();

const cellModel = z.object({
  file: z.string().describe('The name of its file, which requests name it by.'),
  name: z.string(),
  source: z.string(),
  licence: z.string(),
  species: z.string(),
  type_count: count,
  gene_count: count,
});
export type CellModel = z.infer<typeof cellModel>;

/** `GET /api/cell-models` */
export const cellModels = z
  .object({
    models: z.array(cellModel),
    problems: z
      .array(z.object({ file: z.string(), problem: z.string() }))
      .describe('Files of the folder that are not models, with the reason.'),
  })
  .meta({ id: 'CellModels' });

const vote = z.object({
  type: z.string(),
  cells: count.describe('Of the group, those of which it is the best type.'),
  share: z.number().describe('Of the cells of the group, 0 to 1.'),
  probability: z.number().describe('Mean over all cells of the group.'),
  genes: z
    .array(
      z.object({
        gene: z.string(),
        contribution: z.number().describe('Coefficient times mean scaled value: what it adds to the score.'),
      }),
    )
    .describe('Those that add most to the score in the group, the greatest first.'),
});
export type ModelVote = z.infer<typeof vote>;

const modelReason = z.enum(['low-probability', 'small-share', 'small-margin']);
export type ModelReason = z.infer<typeof modelReason>;

const modelSuggestion = z
  .object({
    group: z.string(),
    cells: count,
    suggestion: z.string().nullable().describe('A type of the model; null where it is Unclear.'),
    reasons: z.array(modelReason),
    margin: z.number().describe('Share of the best type minus that of the next.'),
    best: vote,
    runner_up: vote.nullable(),
  })
  .meta({ id: 'ModelSuggestion' });
export type ModelSuggestion = z.infer<typeof modelSuggestion>;

export const cellModelAnswer = z
  .object({
    types_csv: z
      .string()
      .describe(
        'Every type that a cell has, group by group: group, rank, cell_type, suggestion, cells, share, probability.',
      ),
    cells_csv: z.string().describe('Every cell: barcode, group, cell_type, probability and suggestion.'),
    dotplot_image: z.string().describe('Top genes of the suggested types, PNG in base64; empty for none.'),
    dotplot_width: count.describe('Pixels; 0 where there is nothing to draw.'),
    dotplot_height: count.describe('Pixels; 0 where there is nothing to draw.'),
    dotplot_print: filePixels.optional(),
    figure: figureParts.figure.nullable(),
    source: figureParts.source,
    parameters: cellModelParameters,
    group_title: z.string().describe('Display name of the column.'),
    model: cellModel.describe('The model that was used.'),
    genes: z
      .object({ found: count.describe('Genes of the model that the dataset has.'), total: count })
      .describe('Numbers of genes of the model.'),
    cells: z
      .object({ classified: count, unclear: count.describe('In groups that are Unclear.') })
      .describe('Numbers of cells.'),
    suggestions: z.array(modelSuggestion).describe('One for each group.'),
    ...resultNotes,
  })
  .meta({ id: 'CellModelAnswer' });
export type CellModelAnswer = z.infer<typeof cellModelAnswer>;
