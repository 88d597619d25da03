import { z } from 'zod';

/** Path and query of an explorer view: no host, no fragment, nothing that a browser would resolve to another path. */
const explorerAddress = z
  .string()
  .max(8000)
  .regex(/^\/explorer\?[!$-[\]-~]+$/, 'Give path and query of the explorer, percent-encoded.')
  .regex(/[?&](?:dataset|customFileId)=[^&]/, 'The address names no dataset.')
  .describe('Path and query of the explorer, as in `/explorer?dataset=…`; 8,000 characters at most.');

/** `POST /api/links`: a short address for an address of the explorer. */
export const explorerLinkRequest = z
  .object({ address: explorerAddress })
  .strict()
  .meta({ id: 'ExplorerLinkRequest' });

/** Response of `POST /api/links`. */
export const explorerLink = z
  .object({ id: z.string().describe('The site shows the view at `/l/{id}`.'), address: explorerAddress })
  .meta({ id: 'ExplorerLink' });
export type ExplorerLink = z.infer<typeof explorerLink>;

/** Response of `GET /api/links/{linkId}`. */
export const openedLink = explorerLink
  .extend({
    subsets: z
      .array(z.object({ id: z.string(), subset_name: z.string(), filter_config: z.unknown() }))
      .describe('Saved subsets of who made the link that the address names, as they are now.'),
  })
  .meta({ id: 'OpenedLink' });
export type OpenedLink = z.infer<typeof openedLink>;
