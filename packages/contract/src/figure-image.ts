import { z } from 'zod';

/** A drawn figure: a PNG as a data URL, with its size so that the page can reserve the space. */
export const figureImage = z.object({
  value: z.string().startsWith('data:image/png;base64,'),
  width: z.number().int(),
  height: z.number().int(),
});
export type FigureImage = z.infer<typeof figureImage>;
