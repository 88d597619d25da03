import { maxSteps } from '@cellfolio/assistant';
import { maxCategoryDisplays, maxKeptAnalyses } from '@cellfolio/contract';
import { maxIdentities, maxSessions } from '@cellfolio/platform';

/** A maximum of something that callers store or do. */
interface Limit {
  /** Row of the table in docs/operate.md. */
  what: string;
  value: number;
  /** Default: a count. */
  unit?: 'bytes' | 'days';
  per: string;
  /** Effect of one more; default: it is refused. */
  beyond?: string;
  /** Plan that it belongs to; without it all accounts have it. */
  plan?: 'Professional';
  /** Variable that sets another value. */
  setting?: string;
  /** `table`: `cellfolio.limits` of the database has the same value under the same key. */
  heldBy: 'table' | '/api' | '/auth/v1' | '/functions/v1' | '/storage/v1' | 'the server';
}

const megabyte = 1e6;

/** All limits of users, owners and visitors that are no size of a single value; docs/operate.md lists them. */
export const limits = {
  trialDays: {
    what: 'free trial',
    value: 7,
    unit: 'days',
    per: 'account',
    beyond: 'exploring takes a plan',
    setting: 'TRIAL_DAYS',
    heldBy: 'the server',
  },
  fileBytes: {
    what: 'bytes of files',
    value: 200e9,
    unit: 'bytes',
    per: 'owner',
    plan: 'Professional',
    setting: 'USER_STORAGE_GB',
    heldBy: '/storage/v1',
  },
  files: { what: 'files', value: 1000, per: 'owner', plan: 'Professional', heldBy: 'table' },
  filesPerCall: { what: 'files', value: 1000, per: 'call', plan: 'Professional', heldBy: 'table' },
  // Twice the files, since bytes are stored before their row.
  fileObjects: {
    what: 'objects in the folder of files',
    value: 2000,
    per: 'owner',
    plan: 'Professional',
    heldBy: '/storage/v1',
  },
  fileUploads: {
    what: 'uploads that are begun',
    value: 6000,
    per: 'owner and day',
    plan: 'Professional',
    heldBy: '/storage/v1',
  },
  waitingJobs: { what: 'jobs that wait, without inspections', value: 50, per: 'owner', heldBy: '/api' },
  endedJobs: {
    what: 'jobs that have ended',
    value: 200,
    per: 'owner',
    beyond: 'the oldest goes',
    heldBy: '/api',
  },
  images: { what: 'images', value: 30, per: 'owner', beyond: 'the oldest goes', heldBy: 'table' },
  imagesPerCall: { what: 'images', value: 100, per: 'call', heldBy: 'table' },
  subsets: { what: 'saved subsets', value: 500, per: 'owner', heldBy: 'table' },
  subsetsPerCall: { what: 'saved subsets', value: 500, per: 'call', heldBy: 'table' },
  subsetBytes: {
    what: 'bytes of saved subsets, as stored',
    value: 20 * megabyte,
    unit: 'bytes',
    per: 'owner',
    heldBy: 'table',
  },
  subsetCellTypes: { what: 'cell types', value: 5000, per: 'saved subset', heldBy: 'table' },
  geneLists: { what: 'gene lists', value: 200, per: 'owner', heldBy: '/api' },
  annotations: { what: 'annotations', value: 100, per: 'owner', heldBy: '/api' },
  annotationsOfDataset: { what: 'annotations', value: 20, per: 'owner and dataset', heldBy: '/api' },
  annotationStates: {
    what: 'states',
    value: 20,
    per: 'annotation',
    beyond: 'the oldest goes',
    heldBy: '/api',
  },
  annotationBytes: {
    what: 'bytes of annotations',
    value: 100 * megabyte,
    unit: 'bytes',
    per: 'owner',
    heldBy: '/api',
  },
  displays: { what: 'columns with an order, colors or names', value: 500, per: 'owner', heldBy: '/api' },
  displaysOfDataset: {
    what: 'columns with an order, colors or names',
    value: maxCategoryDisplays,
    per: 'owner and dataset',
    heldBy: '/api',
  },
  displayStates: { what: 'states', value: 20, per: 'such column', beyond: 'the oldest goes', heldBy: '/api' },
  displayBytes: {
    what: 'bytes of such columns',
    value: 10 * megabyte,
    unit: 'bytes',
    per: 'owner',
    beyond: 'earlier states go',
    heldBy: '/api',
  },
  analyses: {
    what: 'analyses that were run',
    value: 1000,
    per: 'owner',
    beyond: 'the one unused for longest goes',
    heldBy: '/api',
  },
  analysesOfDataset: {
    what: 'analyses that were run',
    value: maxKeptAnalyses,
    per: 'owner and dataset',
    beyond: 'the one unused for longest goes',
    heldBy: '/api',
  },
  links: {
    what: 'short links',
    value: 500,
    per: 'owner',
    beyond: 'the one unused for longest goes',
    heldBy: '/api',
  },
  sharedLabelBytes: {
    what: 'bytes of labels shared with links',
    value: 100 * megabyte,
    unit: 'bytes',
    per: 'owner',
    beyond: 'those of the links unused for longest go',
    heldBy: '/api',
  },
  tabs: {
    what: 'tabs with an open dataset',
    value: 100,
    per: 'user',
    beyond: 'the oldest goes',
    heldBy: '/api',
  },
  keys: { what: 'personal keys', value: 20, per: 'user', heldBy: 'table' },
  sessions: {
    what: 'sessions',
    value: maxSessions,
    per: 'user',
    beyond: 'the one refreshed longest ago ends',
    heldBy: '/auth/v1',
  },
  identities: { what: 'connected accounts', value: maxIdentities, per: 'user', heldBy: '/auth/v1' },
  contactMessages: {
    what: 'messages of the contact page',
    value: 200,
    per: 'hour, of everybody',
    heldBy: 'table',
  },
  contactMessagesPerCall: { what: 'messages of the contact page', value: 1, per: 'call', heldBy: 'table' },
  contactMails: {
    what: 'mails of the contact page',
    value: 60,
    per: 'hour, of everybody',
    heldBy: '/functions/v1',
  },
  contactMailsOfNetwork: {
    what: 'mails of the contact page',
    value: 5,
    per: 'network and hour',
    heldBy: '/functions/v1',
  },
  mails: {
    what: 'mails to users',
    value: 300,
    per: 'hour, to everybody',
    setting: 'MAILS_PER_HOUR',
    heldBy: '/auth/v1',
  },
  payments: { what: 'visits of the payment page', value: 60, per: 'user and hour', heldBy: '/functions/v1' },
  imageAnalyses: {
    what: 'analyses of images',
    value: 60,
    per: 'user and hour',
    plan: 'Professional',
    heldBy: '/functions/v1',
  },
  imageAnalysesAtOnce: {
    what: 'analyses of images at once',
    value: 2,
    per: 'user',
    plan: 'Professional',
    heldBy: '/functions/v1',
  },
  assistantCalls: {
    what: 'plans and answers of the assistant',
    value: 60,
    per: 'user and hour',
    plan: 'Professional',
    heldBy: '/api',
  },
  assistantCallsAtOnce: {
    what: 'plans and answers of the assistant at once',
    value: 2,
    per: 'user',
    plan: 'Professional',
    heldBy: '/api',
  },
  assistantSteps: { what: 'steps', value: maxSteps, per: 'plan', plan: 'Professional', heldBy: '/api' },
  // Includes room for reasoning.
  assistantTokens: {
    what: 'tokens that a model writes',
    value: 4000,
    per: 'plan or answer of the assistant',
    beyond: 'the text ends',
    plan: 'Professional',
    heldBy: '/api',
  },
  assistantBytes: {
    what: 'bytes that a model reads',
    value: 12_000,
    unit: 'bytes',
    per: 'result of a step',
    beyond: 'rows are left out',
    plan: 'Professional',
    heldBy: '/api',
  },
  questions: {
    what: 'questions to the assistant that are kept',
    value: 500,
    per: 'owner',
    beyond: 'the oldest goes',
    heldBy: '/api',
  },
  questionsOfDataset: {
    what: 'questions to the assistant that are kept',
    value: 50,
    per: 'owner and dataset',
    beyond: 'the oldest goes',
    heldBy: '/api',
  },
  modelConsents: {
    what: 'models that own data may be sent to',
    value: 20,
    per: 'owner',
    beyond: 'the one agreed to longest ago goes',
    heldBy: '/api',
  },
  callsAtOnce: { what: 'computing calls at once', value: 4, per: 'user', beyond: 'it waits', heldBy: '/api' },
  genesPerCall: { what: 'genes', value: 50, per: 'call', heldBy: '/api' },
  // A map takes six, a gene three and a look at one cell one; people of one institute share an address.
  visitorCalls: { what: 'calls of visitors', value: 600, per: 'network and minute', heldBy: '/api' },
  // An assistant lists the tools when it connects, and makes a few calls a minute.
  toolCalls: { what: 'calls of tools for assistants', value: 600, per: 'network and minute', heldBy: '/api' },
  toolCallDays: {
    what: 'list of calls of tools',
    value: 90,
    unit: 'days',
    per: 'call',
    beyond: 'it leaves the list',
    heldBy: 'the server',
  },
  listedToolCalls: {
    what: 'listed calls of tools',
    value: 10_000,
    per: 'user',
    beyond: 'the oldest leaves the list',
    heldBy: 'the server',
  },
  runningToolTasks: {
    what: 'running tasks of tools',
    value: 8,
    per: 'user and process',
    beyond: 'it is answered when its work ends',
    heldBy: 'the server',
  },
  toolTaskMinutes: {
    what: 'minutes of a task of tools',
    value: 60,
    per: 'task',
    beyond: 'it ends, with its result',
    heldBy: 'the server',
  },
  toolTaskBytes: {
    what: 'results of tasks of tools',
    value: 16e6,
    unit: 'bytes',
    per: 'user and process',
    beyond: 'the oldest result is dropped',
    heldBy: 'the server',
  },
  allToolTaskBytes: {
    what: 'results of tasks of tools',
    value: 128e6,
    unit: 'bytes',
    per: 'process',
    beyond: 'the oldest result is dropped',
    heldBy: 'the server',
  },
  // An app asks once an hour; people of one institute share an address.
  appTokenCalls: { what: 'sign-ins of apps', value: 120, per: 'network and minute', heldBy: '/api' },
  connectedApps: {
    what: 'connected apps',
    value: 50,
    per: 'user',
    beyond: 'the one used longest ago is disconnected',
    heldBy: '/api',
  },
  // The description of a map has a few hundred.
  visitorBodyBytes: {
    what: 'body of a call of a visitor',
    value: 4096,
    unit: 'bytes',
    per: 'call',
    heldBy: '/api',
  },
} as const satisfies Readonly<Record<string, Limit>>;

/** Limits that the database holds, by key. */
export function limitsOfTables(): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([key, { heldBy, value }]) => (heldBy === 'table' ? [[key, value]] : [])),
  );
}

/** The table of docs/operate.md. */
export function limitsAsMarkdown(): string {
  const header = ['what', 'at most', 'per', 'one more', 'for', 'held by'];
  const rows = Object.values(limits as Readonly<Record<string, Limit>>).map((limit) => [
    limit.what,
    valueText(limit),
    limit.per,
    limit.beyond ?? 'is refused',
    limit.plan ? `${limit.plan} plan` : 'all',
    limit.heldBy.startsWith('/') ? `\`${limit.heldBy}\`` : limit.heldBy,
  ]);
  const widths = header.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function valueText({ value, unit, setting }: Limit): string {
  const number = (count: number) => count.toLocaleString('en-US');
  const text =
    unit === 'bytes'
      ? value >= 1e9
        ? `${number(value / 1e9)} GB`
        : value >= megabyte
          ? `${number(value / megabyte)} MB`
          : `${number(value)} bytes`
      : `${number(value)}${unit === 'days' ? ' days' : ''}`;
  return setting ? `${text} (\`${setting}\`)` : text;
}
