import { z } from 'zod';
import { maxAnnotations } from './annotations.ts';

/** Maximum characters of an address: servers and proxies refuse longer request lines. */
export const maxAddressLength = 8000;

/** Path and query of an explorer view: no host, no fragment, nothing that a browser would resolve to another path. */
const explorerAddress = z
  .string()
  .max(maxAddressLength)
  .regex(/^\/explorer\?[!$-[\]-~]+$/, 'Give path and query of the explorer, percent-encoded.')
  .regex(/[?&](?:dataset|customFileId)=[^&]/, 'The address names no dataset.')
  .describe('Path and query of the explorer, as in `/explorer?dataset=…`; 8,000 characters at most.');

/** `POST /api/links`: a short address for an address of the explorer. */
export const explorerLinkRequest = z
  .object({
    address: explorerAddress,
    annotations: z
      .array(z.uuid())
      .max(maxAnnotations)
      .default([])
      .describe('Ids of own annotations and kept numbers that the view uses.'),
    share_labels: z
      .boolean()
      .default(false)
      .describe('Puts a copy of their labels, as they are now, into the link.'),
  })
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
    labels: z.array(z.string()).describe('Names of annotations of who made the link that the view uses.'),
  })
  .meta({ id: 'OpenedLink' });
export type OpenedLink = z.infer<typeof openedLink>;

/** `POST /api/datasets/{id}/annotations/from-link`. */
export const linkLabelsRequest = z
  .object({ link: z.string().max(100).describe('Id of a short link.') })
  .meta({ id: 'LinkLabelsRequest' });

/** Response of `POST /api/datasets/{id}/annotations/from-link`. */
export const linkLabels = z
  .object({
    labels: z.array(
      z.object({
        name: z.string().describe('As the view names the annotation.'),
        added: z.boolean().describe('It was added to your annotations by this call.'),
        problem: z.string().optional().describe('Why you do not have it, and what to do.'),
      }),
    ),
  })
  .meta({ id: 'LinkLabels' });
export type LinkLabels = z.infer<typeof linkLabels>;
