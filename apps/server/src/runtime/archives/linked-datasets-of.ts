import { isLoopback } from '../remote/download.ts';
import { discoverDatasets, discoverPage } from './discover.ts';
import { geoAccession, geoDatasets } from './geo.ts';
import type { Archives, LinkedDatasets } from './linked-datasets.ts';
import { addressOf } from './linked-file.ts';
import { isTar, remoteTar, type TarContext } from './tar-datasets.ts';

/**
 * The datasets of a CELLxGENE Discover page, a GEO accession or its page, or the address of a .tar archive; undefined
 * for other sources. Throws LinkFailed.
 */
export async function linkedDatasets(
  source: string,
  archives: Archives,
  context: TarContext,
): Promise<LinkedDatasets | undefined> {
  const page = discoverPage(source);
  if (page !== undefined) return discoverDatasets(page, archives, context);
  const accession = geoAccession(source);
  if (accession !== undefined) return geoDatasets(accession, archives, context);
  const url = URL.parse(source);
  if (url === null || !/^(?:https?|ftp):$/.test(url.protocol) || !isTar(url.pathname)) return undefined;
  return remoteTar(addressOf(source, context.mayBePrivate ?? isLoopback), context);
}
