import { z } from 'zod';
import { figureSource } from './figure-source.ts';

/** A drawn figure: a PNG as a data URL, with its size so that the page can reserve the space. */
export const figureImage = z
  .object({
    value: z.string().startsWith('data:image/png;base64,'),
    width: z.number().int(),
    height: z.number().int(),
  })
  .meta({ id: 'FigureImage' });
export type FigureImage = z.infer<typeof figureImage>;

/** Size of the file that `POST /api/render-figure` draws for print. */
export const filePixels = z
  .object({ width: z.number().int(), height: z.number().int() })
  .optional()
  .describe('Pixels of the figure as `png-300dpi`, never fewer than of the plain one.');

/** What comes with every figure. */
export const figureParts = {
  // name-dictionary: the keys are words of ours
  figure: z.record(z.string(), z.unknown()).meta({
    id: 'Figure',
    description: 'Serialisable spec: all that was decided about the figure, and the numbers behind it.',
  }),
  source: figureSource.describe('What `POST /api/render-figure` needs to draw it again.'),
};
