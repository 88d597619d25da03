import { cellTypeParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { listHead, resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells } from './subsets.ts';

/** `POST /api/suggest-cell-types`: cell types of a list that the groups of a column resemble, with the markers. */
export const cellTypeRequest = cellTypeParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'CellTypeRequest' });
export type CellTypeRequest = z.input<typeof cellTypeRequest>;

const count = z.number().int();

export const markerSet = z.object({ ...listHead, type_count: count }).meta({ id: 'MarkerSet' });
export type MarkerSet = z.infer<typeof markerSet>;

/** `GET /api/cell-type-markers` */
export const markerSets = z
  .object({
    sets: z.array(
      markerSet.extend({
        in_dataset: z
          .object({
            marker_count: count.describe('Unique genes of the set.'),
            found_count: count.describe(
              'Those that the dataset has, by orthologues where it is of another species.',
            ),
            largest_type_count: count.describe('Markers of the type of which the dataset has most.'),
          })
          .optional()
          .describe('Absent when no dataset was named.'),
      }),
    ),
  })
  .meta({ id: 'MarkerSets' });
export type MarkerSets = z.infer<typeof markerSets>;

const typeEvidence = z
  .object({
    type: z.string(),
    lineage: z.string(),
    reference: z.string(),
    reference_checked: z
      .boolean()
      .optional()
      .describe('Whether the reference was looked up; absent where the markers do not say.'),
    score: z.number().describe('t of the univariate linear model, which ranks.'),
    adjusted_p: z.number(),
    ora_score: z.number().describe('Logarithm of the odds ratio among the top 5 % of genes.'),
    ora_adjusted_p: z.number(),
    expressed: count.describe('Markers that enough cells express, and more than the groups do on average.'),
    markers: z
      .array(
        z.object({
          gene: z.string(),
          share: z.number().describe('Of the cells of the group, those that express it.'),
          mean: z.number(),
          above: z.number().describe('Mean less the mean of the groups’ means.'),
          other_groups: count.describe('Other groups of which as large a share expresses it as counts.'),
        }),
      )
      .describe('Those that any group expresses, the highest above the others first.'),
    missing: z.array(z.string()).describe('Markers that are no gene of the dataset.'),
  })
  .meta({ id: 'TypeEvidence' });
export type TypeEvidence = z.infer<typeof typeEvidence>;

const unclearReason = z.enum(['not-significant', 'not-over-represented', 'few-markers', 'small-margin']);
export type UnclearReason = z.infer<typeof unclearReason>;

const groupSuggestion = z
  .object({
    group: z.string(),
    cells: count,
    suggestion: z.string().nullable().describe('A type of the list; null where it is Unclear.'),
    reasons: z.array(unclearReason).describe('Why it is Unclear; empty where a type is suggested.'),
    margin: z.number().describe('Best score less the next, as a part of the best.'),
    best: typeEvidence.nullable(),
    runner_up: typeEvidence.nullable(),
    conflict: typeEvidence
      .extend({
        both_cells: count.describe('Cells that express two markers of the best type and two of this one.'),
        best_cells: count,
        these_cells: count,
      })
      .nullable()
      .describe('A type of another lineage that the group looks like besides.'),
  })
  .meta({ id: 'GroupSuggestion' });
export type GroupSuggestion = z.infer<typeof groupSuggestion>;

export const cellTypeAnswer = z
  .object({
    types_csv: z
      .string()
      .describe(
        'Every type in every group, the best of each group first: group, rank, cell_type, suggestion, ulm_score, ulm_pval, ulm_padj, ora_score, ora_pval, ora_padj, markers, expressed, genes, lineage and, where the markers have them, reference.',
      ),
    heatmap_image: z.string().describe('PNG in base64.'),
    heatmap_width: count,
    heatmap_height: count,
    heatmap_print: filePixels,
    figure: figureParts.figure.nullable(),
    source: figureParts.source.nullable(),
    parameters: cellTypeParameters,
    group_title: z.string().describe('What the column is called where somebody reads it.'),
    marker_set: markerSet.describe(
      'The markers that were used; of a list of one’s own the name is `own list`.',
    ),
    markers: z.object({
      types: count.describe('Types of the set.'),
      tested: count.describe('Of these, with enough markers in the dataset.'),
      genes: count.describe('Markers of all types.'),
      missing: count.describe('Of these, those that are no gene of the dataset.'),
    }),
    gene_count: count.describe('Genes that the models are of: those that a cell of any group expresses.'),
    suggestions: z.array(groupSuggestion),
    ...resultNotes,
  })
  .meta({ id: 'CellTypeAnswer' });
export type CellTypeAnswer = z.infer<typeof cellTypeAnswer>;
