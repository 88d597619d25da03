import {
  type Admission,
  createOwnerCheck,
  type Database,
  issuerOf,
  platformSettings,
  sharedLimiters,
} from '@cellfolio/platform';
import { AnnotationColumns, Annotations, LinkLabels, NumberColumns } from '../features/annotations/index.ts';
import { recipientOf } from '../features/assistant/index.ts';
import { hasModels } from '../features/cell-models/index.ts';
import { CategoryDisplays } from '../features/category-displays/category-displays.ts';
import { Catalogue, ReadableDatasets } from '../features/catalogue/index.ts';
import { ClientMetadata, ConnectedApps } from '../features/connected-apps/index.ts';
import { ToolCalls } from '../features/tool-calls/index.ts';
import { ExplorerLinks } from '../features/links/index.ts';
import { demoDatasetIds } from '../features/demo/index.ts';
import { GeneFinder } from '../features/gene-finder/index.ts';
import { documentKinds, UserDocuments } from '../runtime/user-documents.ts';
import { LibraryPulls, StoredLibraries } from '../features/gene-sets/index.ts';
import { ActiveDatasets } from '../features/selection/index.ts';
import {
  CellxgeneFiles,
  DatasetBuilds,
  UserDatasets,
  UserFiles,
  Subclusterings,
} from '../features/uploads/index.ts';
import type { ComputePool } from '../runtime/compute/compute-pool.ts';
import { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import { type ModelSettings, modelSettings } from '../runtime/functions/functions-settings.ts';
import { AccessPolicy, cacheAccounts, type DemoDataset } from '../runtime/http/access.ts';
import { ProgressHub } from '../runtime/progress/progress-hub.ts';
import { PostgresProgressRelay } from '../runtime/progress/progress-relay.ts';
import { analysisServices } from './analysis-services.ts';
import { type OpenProcess, openJobs } from './open-process.ts';
import { platformAccounts, type Site } from './platform-options.ts';
import type { RouteServices } from './routes.ts';
import { isLoopbackHost, type Settings } from './settings/read-settings.ts';

export type Services = RouteServices & { geneFinder: GeneFinder };

interface ServiceDeps {
  opened: OpenProcess;
  site: Site;
  compute: ComputePool;
  admission: Admission;
  visitorTurns: Admission;
  exports: Admission;
}

export function createServices(
  settings: Settings,
  { opened, site, compute, admission, visitorTurns, exports }: ServiceDeps,
) {
  const { database, blobs, objects, log, probes } = opened;
  // The event loop only looks up genes and columns; expression is read in the compute threads.
  const datasets = new OpenDatasets(objects, { datasets: settings.openDatasets, cacheBytes: 0 });
  const catalogue = new Catalogue(objects, datasets, ({ id, reason, cause }) =>
    log.error({ dataset: id, reason, err: cause }, 'dataset damaged'),
  );
  const { figureCacheBytes, cellModelDir } = settings;
  const analyses = analysisServices({ compute, datasets, objects, figureCacheBytes, cellModelDir });
  const own = new UserDatasets({
    objects,
    files: new UserFiles(database),
    builds: new DatasetBuilds(database),
    drop: analyses.dropDataset,
  });
  const readable = new ReadableDatasets({ catalogue, own });
  const jobs = openJobs(settings, opened, (datasetId) => own.forget(datasetId));
  // An embedded database serves this process only, which needs no relay.
  const relay = database.kind === 'postgres' ? opened.keep(new PostgresProgressRelay(database)) : undefined;
  const accounts = platformAccounts(database, { publicUrl: site.origin, trialDays: settings.trialDays });
  const ownColumns = new AnnotationColumns(database);
  const displays = new CategoryDisplays({ database, datasets });
  const demoDataset = demoDatasetOf(settings, catalogue);
  const services: Services = {
    ...analyses,
    access: new AccessPolicy([site.keys.apiKey, site.keys.publishableKey], cacheAccounts(accounts), {
      demo: demoDataset,
      ...(settings.embedOrigins.length > 0 && {
        isEmbeddable: async (id: string) => (await catalogue.find(id)) !== undefined,
      }),
    }),
    catalogue,
    readable,
    datasets,
    geneFinder: new GeneFinder({ catalogue, own, datasets, groupedGenes: analyses.groupedGenes }),
    compute,
    active: new ActiveDatasets(database, readable),
    annotations: new Annotations({ database, datasets, compute, columns: ownColumns }),
    numberColumns: new NumberColumns({ database, datasets, columns: ownColumns }),
    linkLabels: new LinkLabels({ database, columns: ownColumns }),
    ownColumns,
    categoryDisplays: displays,
    displays,
    geneLists: new UserDocuments(database, documentKinds.geneList),
    keptAnalyses: new UserDocuments(database, documentKinds.analysis),
    links: new ExplorerLinks(database),
    progress: new ProgressHub(relay),
    admission,
    visitorTurns,
    exports,
    pulls: new LibraryPulls(new StoredLibraries(objects), {
      base: settings.geneSetUrl,
      timeoutMilliseconds: settings.geneSetTimeoutMilliseconds,
    }),
    jobs: jobs.own,
    linkedData: jobs.linkedData,
    subclusterings: new Subclusterings({
      database,
      datasets,
      readable,
      memoryBytes: settings.jobMemoryBytes,
      wake: () => jobs.wake(),
    }),
    cellxgeneFiles: new CellxgeneFiles({ database, datasets, wake: () => jobs.wake() }),
    accountData: {
      database,
      blobs,
      payments: settings.functions.payments,
      confirmOwner: createOwnerCheck({
        database,
        issuer: issuerOf(site.origin),
        ...platformSettings.parse({ rateLimits: {}, ...settings.signIn.platform }),
      }),
      trustProxy: settings.trustedProxies !== 0,
    },
    publicConfig: publicConfig(settings, site, demoDataset),
    siteUrl: settings.siteUrl,
    embedOrigins: settings.embedOrigins,
    demoDataset,
    connectedApps: connectedAppsOf(settings, database),
    questions: new UserDocuments(database, documentKinds.question),
    assistant: assistantOf(settings, site, database),
    toolCalls: new ToolCalls(database),
    mcp: mcpOf(settings, site.keys.apiKey),
    limits: { genesPerCall: settings.maxGenesPerCall },
    ...probes,
  };
  return { services, analyses, own, jobs };
}

/** Apps sign in to call the tools: without these there is nothing to sign in to. */
function connectedAppsOf(
  { mcp, oauth, oauthLoopbackClients: allowLoopback }: Settings,
  database: Database,
): Services['connectedApps'] {
  if (!mcp || !oauth) return undefined;
  return { apps: new ConnectedApps(database), clients: new ClientMetadata({ allowLoopback }) };
}

function assistantOf(settings: Settings, { keys }: Site, database: Database): Services['assistant'] {
  return {
    model: assistantModelOf(settings),
    siteKey: keys.apiKey,
    database,
    trialDays: settings.trialDays,
    makeLimiter: sharedLimiters(database.pool),
    consents: new UserDocuments(database, documentKinds.modelConsent),
  };
}

/** The model of the assistant, unless it is switched off. */
function assistantModelOf({ assistant, functions: { model } }: Settings): ModelSettings | undefined {
  return assistant && model ? modelSettings.parse(model) : undefined;
}

/** A client that waits this long may be told so, and asks again. */
const tasksAfterMilliseconds = 5000;

function mcpOf(settings: Settings, siteKey: string): Services['mcp'] {
  const { mcp, mcpTasks } = settings;
  if (!mcp) return undefined;
  return {
    siteKey,
    hosts: hostsOf(settings),
    tasksAfterMilliseconds: mcpTasks ? tasksAfterMilliseconds : undefined,
  };
}

/** Names of this server besides those of loopback; undefined where it listens to a network without a SITE_URL. */
function hostsOf({ siteUrl, host }: Settings): readonly string[] | undefined {
  if (siteUrl !== undefined) return [new URL(siteUrl).hostname];
  return isLoopbackHost(host) ? [] : undefined;
}

function demoDatasetOf(
  { demo, demoDataset: id = demo ? demoDatasetIds[0] : undefined }: Settings,
  catalogue: Catalogue,
): DemoDataset | undefined {
  if (id === undefined) return undefined;
  return { id, isOpen: async () => (await catalogue.find(id))?.catalogue.simulated === true };
}

function publicConfig(
  settings: Settings,
  { keys, demoAccounts }: Site,
  demoDataset: DemoDataset | undefined,
): Services['publicConfig'] {
  const model = assistantModelOf(settings);
  return {
    publishableKey: keys.publishableKey,
    apiKey: keys.apiKey,
    trialDays: settings.trialDays,
    limits: { genesPerCall: settings.maxGenesPerCall },
    ...(demoAccounts.length > 0 && { demoAccounts }),
    ...(demoDataset && { demoDataset: demoDataset.id }),
    ...(model && { assistant: recipientOf(model) }),
    signIn: settings.signIn.shown,
    features: {
      signUp: settings.signUp,
      upload: true,
      aiAnalysis: true,
      aiAnalysisKind: settings.functions.model ? 'model' : 'summary',
      checkout: settings.functions.payments !== undefined,
      connectedApps: settings.mcp && settings.oauth,
      tools: settings.mcp,
      embedding: settings.embedOrigins.length > 0,
      cellModels: hasModels(settings.cellModelDir),
    },
  };
}
