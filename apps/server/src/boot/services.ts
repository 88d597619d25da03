import type { PublicConfig } from '@cellfolio/contract';
import type { CatalogueServices } from '../features/catalogue/routes.ts';
import type { ExploreServices } from '../features/explore/routes.ts';
import type { ExportServices } from '../features/export/routes.ts';
import type { GeneSetServices } from '../features/gene-sets/routes.ts';
import type { MarkerServices } from '../features/markers/routes.ts';
import type { PathwayServices } from '../features/pathways/routes.ts';
import type { SubsetServices } from '../features/subsets/routes.ts';
import type { UploadServices } from '../features/uploads/routes.ts';
import type { Probes } from '../runtime/http/routes.ts';

/** What the calls of `/api` work with. */
export interface Services
  extends
    Probes,
    CatalogueServices,
    SubsetServices,
    ExploreServices,
    MarkerServices,
    PathwayServices,
    GeneSetServices,
    ExportServices,
    UploadServices {
  /** Settings of the web app but for its addresses, which follow the request unless SITE_URL is set. */
  readonly publicConfig: Omit<PublicConfig, 'supabaseUrl' | 'analysisUrl'>;
  readonly siteUrl: string | undefined;
}
