import { discoverDatasets, discoverPage } from './discover.ts';
import { geoAccession, geoDatasets } from './geo.ts';
import type { Archives, LinkedDatasets } from './linked-datasets.ts';

/**
 * What a page of CELLxGENE Discover, an accession of GEO or its page leads to; undefined for other sources. Throws
 * LinkFailed.
 */
export async function linkedDatasets(
  source: string,
  archives: Archives,
  context: { readonly signal: AbortSignal; readonly pauses?: readonly number[] | undefined },
): Promise<LinkedDatasets | undefined> {
  const page = discoverPage(source);
  if (page !== undefined) return discoverDatasets(page, archives, context);
  const accession = geoAccession(source);
  return accession === undefined ? undefined : geoDatasets(accession, archives, context);
}
