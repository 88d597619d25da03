import { z } from 'zod';

/** What has to be said of a list, such as of markers, wherever its results are. */
export const listHead = {
  name: z.string(),
  label: z.string().describe('To be shown beside the name; empty where there is nothing to say.'),
  release: z.string().describe('Version of the resource, as its operator stated it.'),
  licence: z.string(),
  species: z.string().describe('Whose symbols it has.'),
  version: z.string().describe('Another one whenever the entries are others.'),
};
