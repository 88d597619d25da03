import { z } from 'zod';
import { classifyCells, exportCells, listCellModels } from './cell-tools.ts';
import { mapPointsTool, showMap } from './map-tools.ts';
import {
  analysisTools,
  describeDataset,
  drawFigure,
  findGenes,
  listDatasets,
  summarizeGene,
  type Tool,
} from './tools.ts';

/** In a stable order. */
export const tools: readonly Tool[] = [
  listDatasets,
  describeDataset,
  findGenes,
  summarizeGene,
  drawFigure,
  listCellModels,
  classifyCells,
  exportCells,
  ...analysisTools,
  showMap,
  mapPointsTool,
];

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({
    name: z.string(),
    arguments: z.object({ dataset: z.object({ filename: z.string() }) }).catch({ dataset: { filename: '' } }),
  }),
});

/** The tool that a message calls, and the dataset that it names. */
export interface CalledTool {
  readonly tool: Tool;
  readonly filename: string;
}

/** Undefined for other messages, and where there is no such tool. */
export function calledTool(message: unknown): CalledTool | undefined {
  const { data } = toolCall.safeParse(message);
  const tool = tools.find(({ name }) => name === data?.params.name);
  return tool && { tool, filename: data!.params.arguments.dataset.filename };
}
