import type { BuildRequest, ConvertRequest, Job, OwnFiles, PublicConfig } from '@cellfolio/contract';
import type { Admission } from '@cellfolio/platform';
import type { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { AccessPolicy } from '../runtime/http/access-policy.ts';
import type { LibraryPulls } from '../features/gene-sets/library-pulls.ts';
import type { ActiveDatasets } from '../features/selection/active-datasets.ts';
import type { AnalysisServices } from './analysis-services.ts';
import type { Catalogue } from '../features/catalogue/catalogue.ts';
import type { ExplorerLinks } from '../features/explore/explorer-links.ts';
import type { OwnDatasets } from '../features/uploads/own/own-datasets.ts';
import type { ProgressHub } from '../runtime/progress/progress-hub.ts';
import type { ReadableDatasets } from '../features/catalogue/readable-datasets.ts';

/** Whether a process can be sent calls, for those who send them. */
export interface Probes {
  /** What keeps the process from being sent calls, in words without secrets; undefined when nothing does. */
  readonly missing: () => Promise<string | undefined>;
}

/** What users ask of their own files and jobs. Throws ApiFailure. */
export interface OwnJobs {
  list(userId: string): Promise<OwnFiles>;
  get(userId: string, jobId: string): Promise<Job>;
  cancel(userId: string, jobId: string): Promise<Job>;
  convert(userId: string, request: ConvertRequest): Promise<Job>;
  inspect(userId: string, fileId: string, choices?: BuildRequest): Promise<Job>;
  build(userId: string, fileId: string, request: BuildRequest): Promise<Job>;
}

/** What the routes of `/api` work with. */
export interface Services extends AnalysisServices, Probes {
  readonly access: AccessPolicy;
  readonly catalogue: Catalogue;
  readonly own: OwnDatasets;
  readonly readable: ReadableDatasets;
  readonly datasets: OpenDatasets;
  readonly active: ActiveDatasets;
  readonly links: ExplorerLinks;
  readonly progress: ProgressHub;
  /** Lets calls that compute to their work, a few at a time. */
  readonly admission: Admission;
  /** Lets exports of cells begin: each is held as long as its client takes for the file. */
  readonly exports: Admission;
  /** Fetches gene-set libraries for operators. */
  readonly pulls: LibraryPulls;
  readonly jobs: OwnJobs;
  /** Settings of the web app but for its addresses, which follow the request unless SITE_URL is set. */
  readonly publicConfig: Omit<PublicConfig, 'supabaseUrl' | 'analysisUrl'>;
  readonly siteUrl: string | undefined;
  readonly limits: { readonly genesPerCall: number };
}
