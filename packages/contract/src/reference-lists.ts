import { markerSet, pairSet } from '@cellfolio/analyses';
import { z } from 'zod';

const count = z.number().int();

/** `GET /api/ligand-receptor-pairs` */
export const pairSets = z
  .object({
    sets: z.array(
      pairSet.extend({
        in_dataset: z
          .object({ found_count: count.describe('Pairs of which the dataset has both genes.') })
          .optional()
          .describe('Absent when no dataset was named.'),
      }),
    ),
  })
  .meta({ id: 'PairSets' });
export type PairSets = z.infer<typeof pairSets>;

/** `GET /api/cell-type-markers` */
export const markerSets = z
  .object({
    sets: z.array(
      markerSet.extend({
        in_dataset: z
          .object({
            marker_count: count.describe('Unique genes of the set.'),
            found_count: count.describe(
              'Those that the dataset has, by orthologs where it is of another species.',
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
