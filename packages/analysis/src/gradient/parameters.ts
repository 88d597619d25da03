import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { valueChoices } from '../scores/score-choice.ts';
import { trajectoryParameters } from '../trajectory/parameters.ts';

const named = (what: string) => dataName.refine((name) => name.trim() !== '', what);
const column = named('Name a column of obs.');
const point = z.tuple([z.number(), z.number()]);
const embedding = named('Name an embedding.')
  .optional()
  .describe('A key of obsm, whose first two axes are taken; absent for that of the maps.');

export const maxGradientGenes = 12;

const gradientAxis = z
  .discriminatedUnion('of', [
    ...valueChoices,
    z
      .object({
        of: z.literal('pseudotime'),
        ...trajectoryParameters.omit({ genes: true }).shape,
      })
      .describe('Diffusion pseudotime, with the parameters of a trajectory.'),
    z
      .object({ of: z.literal('groups'), groupby: column, from: dataName, to: dataName, embedding })
      .describe(
        'The line from the centre of a group to that of another on an embedding: cells are projected on it; 0 is the first centre, 1 the second.',
      ),
    z
      .object({ of: z.literal('line'), from: point, to: point, embedding })
      .describe('The line from a point of an embedding (0) to another (1): cells are projected on it.'),
  ])
  .meta({ id: 'GradientAxis' });
export type GradientAxis = z.infer<typeof gradientAxis>;

export const gradientParameters = z
  .object({
    axis: gradientAxis,
    within_samples: z
      .boolean()
      .default(true)
      .describe(
        'Correlations are computed in each sample of at least 20 cells and combined, and curves have a level for each sample, where samples are known; else over all cells together.',
      ),
    samples: column
      .optional()
      .describe(
        'The column of obs that says which sample a cell is from; absent for the one that is known of the dataset.',
      ),
    degrees: z.number().int().min(1).max(8).default(4).meta({
      title: 'Degrees of Freedom',
      description: 'Of the curve that is tested: a natural cubic spline; 1 is a straight line.',
    }),
    genes: z
      .array(dataName)
      .max(maxGradientGenes, `Name at most ${maxGradientGenes} genes.`)
      .optional()
      .describe('Genes of the curves; absent for those that follow the axis most.'),
  })
  .meta({ id: 'GradientParameters' });
export type GradientParameters = z.infer<typeof gradientParameters>;
