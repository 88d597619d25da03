import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseS3Url, StoreUrlError } from '@cellfolio/bytes';
import { datasetId } from '@cellfolio/contract';
import type { UserFileLimits } from '../../features/quotas/index.ts';
import type { FunctionsSettingsInput } from '../../runtime/functions/functions-settings.ts';
import type { ObjectStoreLocation } from '@cellfolio/store';
import { z } from 'zod';
import { functionsSettingNames, readFunctions } from './functions-settings.ts';
import {
  baseAddress,
  type Environment,
  flag,
  InvalidSettings,
  origins,
  proxies,
  type TrustedProxies,
} from './setting-types.ts';
import { readSignInSettings, signInSettingNames, type SignInSettings } from './sign-in-settings.ts';
import { limits } from '../../runtime/limits/limits.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const positive = z.coerce.number().int().positive();

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  CELL_MODEL_DIR: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  OBJECT_STORE_URL: z
    .string()
    .regex(/^(file|s3):/, 'must start with file: or s3:')
    .optional(),
  SITE_URL: baseAddress.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(320).default('Cellfolio <no-reply@localhost>'),
  MAILS_PER_HOUR: positive.default(limits.mails.value),
  TRIAL_DAYS: positive.default(limits.trialDays.value),
  USER_STORAGE_GB: positive.max(1_000_000).default(limits.fileBytes.value / 1e9),
  DEMO: flag.optional(),
  DEMO_DATASET: datasetId.refine((id) => !id.startsWith('custom:'), 'must be of the catalog').optional(),
  SIGN_UP: flag.default(true),
  MCP: flag.default(true),
  ASSISTANT: flag.default(true),
  MCP_TASKS: flag.optional(),
  OAUTH: flag.default(true),
  OAUTH_LOOPBACK_CLIENTS: flag.default(false),
  TRUST_PROXY: proxies.default(0),
  // Two also on one core, so that long work of one user leaves a thread to the others.
  COMPUTE_THREADS: positive.max(64).default(Math.max(2, Math.min(4, availableParallelism()))),
  FIGURE_CACHE_MB: z.coerce.number().int().min(0).default(64),
  EXPRESSION_CACHE_MB: z.coerce.number().int().min(0).default(64),
  OBJECT_CACHE_MB: z.coerce.number().int().min(0).default(4096),
  OPEN_DATASETS: positive.default(8),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  JOB_WORKERS: positive.max(64).default(1),
  JOB_MEMORY_MB: positive.min(256).default(2048),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  GENE_SET_URL: baseAddress.default('https://maayanlab.cloud/Enrichr'),
  LINK_ORIGINS: origins.default([]),
  EMBED_ORIGINS: origins.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
});

/** All names, except those of OpenID Connect, which the operator chooses. */
export const settingNames: readonly string[] = [
  ...Object.keys(schema.shape),
  ...functionsSettingNames,
  ...signInSettingNames,
];

const mebibyte = 1024 * 1024;

const fixedLimits = {
  maxGenesPerCall: limits.genesPerCall.value,
  importMemoryBytes: 640 * mebibyte,
  /** Timeout of one task of a compute thread, from its start; a call consists of many tasks. */
  taskMilliseconds: 60_000,
  /** Figures that a compute thread draws before its first task, so that no user waits for fonts and the compiler. */
  warmFigures: 12,
  /**
   * JavaScript heap limit of a compute thread; a thread above it is terminated. Columns of numbers are outside the
   * heap.
   */
  threadHeapBytes: 768 * mebibyte,
  callsPerUser: limits.callsAtOnce.value,
  slowCallMilliseconds: 2000,
  userObjects: limits.fileObjects.value,
  shutdownSeconds: 30,
  /** Timeout between two pieces of a response of the gene-set publisher. */
  geneSetTimeoutMilliseconds: 60_000,
} as const;

/** `fixedLimits`, which tests may lower. */
type Limits = { readonly [name in keyof typeof fixedLimits]: number };

export interface Settings extends Limits {
  port: number;
  host: string;
  dataDir: string;
  /** Folder of the models for cell classification; it may be missing. */
  cellModelDir: string;
  /** Where datasets and gene sets are stored; has secrets. */
  objects: ObjectStoreLocation;
  /** Folder of the objects, when they are files. */
  objectRoot: string;
  /** S3 store of users' files, contains secrets; without it they are stored in `files/` beside the datasets. */
  filesUrl?: string;
  databaseUrl?: string;
  /** Origin of the site as browsers see it; derived from host and port where it is not set. */
  siteUrl?: string;
  /** Mail server; without it mails are files in the data folder and sign-ups need no confirmation. */
  smtpUrl?: string;
  mailFrom: string;
  /** Limit of the whole installation. */
  mailsPerHour: number;
  trialDays: number;
  /** Maximum total size of one user's files on the Professional plan, in bytes. */
  userFiles: UserFileLimits;
  /** Simulated catalogue and three accounts; on loopback only. */
  demo: boolean;
  /** Id of the simulated dataset that visitors may explore without an account; default: the first one of a demo. */
  demoDataset?: string;
  signUp: boolean;
  /** Offers tools to assistants at `/mcp`. */
  mcp: boolean;
  /** Answers questions about a dataset by the model of the figure analysis; without a model it is off. */
  assistant: boolean;
  /** Answers long calls of tools with tasks, which the memory of the process holds. */
  mcpTasks: boolean;
  /** Lets apps sign in for the tools by OAuth. */
  oauth: boolean;
  /** Also takes apps whose metadata document is on this machine, for tests of an app. */
  oauthLoopbackClients: boolean;
  /** Proxies whose entries in forwarding headers are trusted, since a client can forge the others; 0 for none. */
  trustedProxies: TrustedProxies;
  /**
   * True when any caller that reaches the port can forge client addresses: proxies are given by count, and other
   * machines can reach the port.
   */
  trustsEveryCaller: boolean;
  computeThreads: number;
  figureCacheBytes: number;
  expressionCacheBytes: number;
  openDatasets: number;
  /** `api` serves calls and runs no jobs, `worker` runs jobs only, `all` does both. */
  role: 'all' | 'api' | 'worker';
  jobWorkers: number;
  jobMemoryBytes: number;
  metrics?: { port: number; host: string };
  geneSetUrl: string;
  /** Servers on private networks that users' links may point to. */
  linkOrigins: readonly string[];
  /** Sites that may frame views of public datasets; without any, embedding is off. */
  embedOrigins: readonly string[];
  signIn: SignInSettings;
  functions: FunctionsSettingsInput;
  logLevel: string;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);

export function isLoopbackHost(host: string): boolean {
  return loopbackHosts.has(host);
}

/** Reads the settings from environment variables; empty ones count as not set. Throws InvalidSettings. */
export function readSettings(environment: Environment): Settings {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(variables);
  if (!parsed.success) throw InvalidSettings.of(parsed.error);
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const loopback = isLoopbackHost(env.HOST);
  // A proxy on the same machine makes loopback public, and a demo shows its passwords to everybody.
  const local = loopback && env.TRUST_PROXY === 0 && isLoopbackSite(env.SITE_URL);
  if (env.DEMO === true && !local) {
    throw new InvalidSettings(
      'DEMO: demo accounts are allowed on loopback only; set HOST=127.0.0.1 without SITE_URL and TRUST_PROXY, or DEMO=false',
    );
  }
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new InvalidSettings(
      `ROLE: ${env.ROLE} requires a PostgreSQL server that all processes share; set DATABASE_URL, or ROLE=all`,
    );
  }
  const demo = env.DEMO ?? (local && env.DATABASE_URL === undefined);
  return {
    ...fixedLimits,
    port: env.PORT,
    host: env.HOST,
    dataDir,
    cellModelDir: resolve(env.CELL_MODEL_DIR ?? `${dataDir}/cell-models`),
    ...storesOf(env.OBJECT_STORE_URL, dataDir, env.OBJECT_CACHE_MB * mebibyte),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    ...(env.SITE_URL && { siteUrl: env.SITE_URL }),
    ...(env.SMTP_URL && { smtpUrl: env.SMTP_URL }),
    mailFrom: env.MAIL_FROM,
    mailsPerHour: env.MAILS_PER_HOUR,
    trialDays: env.TRIAL_DAYS,
    userFiles: { quotaBytes: env.USER_STORAGE_GB * 10 ** 9, objects: fixedLimits.userObjects },
    demo,
    ...(env.DEMO_DATASET !== undefined && { demoDataset: env.DEMO_DATASET }),
    signUp: env.SIGN_UP,
    mcp: env.MCP,
    assistant: env.ASSISTANT,
    mcpTasks: env.MCP_TASKS ?? env.DATABASE_URL === undefined,
    oauth: env.OAUTH,
    oauthLoopbackClients: env.OAUTH_LOOPBACK_CLIENTS,
    trustedProxies: env.TRUST_PROXY,
    trustsEveryCaller: typeof env.TRUST_PROXY === 'number' && env.TRUST_PROXY > 0 && !loopback,
    computeThreads: env.COMPUTE_THREADS,
    figureCacheBytes: env.FIGURE_CACHE_MB * mebibyte,
    expressionCacheBytes: env.EXPRESSION_CACHE_MB * mebibyte,
    openDatasets: env.OPEN_DATASETS,
    role: env.ROLE,
    jobWorkers: env.JOB_WORKERS,
    jobMemoryBytes: env.JOB_MEMORY_MB * mebibyte,
    ...(env.METRICS_PORT !== undefined && { metrics: { port: env.METRICS_PORT, host: env.METRICS_HOST } }),
    geneSetUrl: env.GENE_SET_URL,
    linkOrigins: env.LINK_ORIGINS,
    embedOrigins: env.EMBED_ORIGINS,
    signIn: readSignInSettings(variables),
    functions: readFunctions(variables, { demo, trialDays: env.TRIAL_DAYS, mailFrom: env.MAIL_FROM }),
    // A person reads the terminal of a demo; a collector reads the log of a server.
    logLevel: env.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  };
}

/** Whether only this machine can reach the site; without SITE_URL the host decides. */
function isLoopbackSite(siteUrl: string | undefined): boolean {
  return siteUrl === undefined || isLoopbackHost(new URL(siteUrl).hostname.replace(/^\[|\]$/g, ''));
}

/** An S3 store takes both datasets and users' files; the data folder is then only a cache. */
function storesOf(
  url: string | undefined,
  dataDir: string,
  cacheBytes: number,
): Pick<Settings, 'objects' | 'objectRoot' | 'filesUrl'> {
  const files = (root: string) => ({ objectRoot: root, objects: { kind: 'file', root } as const });
  const defaultRoot = resolve(dataDir, 'objects');
  if (url === undefined) return files(defaultRoot);
  if (url.startsWith('file:')) return files(folderOf(url));
  try {
    return {
      objectRoot: defaultRoot,
      objects: {
        kind: 's3',
        ...parseS3Url(url),
        cacheFolder: resolve(dataDir, 'cache', 'objects'),
        cacheBytes,
        stagingFolder: defaultRoot,
      },
      filesUrl: url,
    };
  } catch (error) {
    // The address contains a secret, the reason does not.
    if (error instanceof StoreUrlError) throw new InvalidSettings(`OBJECT_STORE_URL: ${error.reason}`);
    throw error;
  }
}

/** Accepts `file:./objects` and `file:///srv/objects`. */
function folderOf(url: string): string {
  return resolve(decodeURIComponent(url.replace(/^file:(\/\/)?/, '')));
}
