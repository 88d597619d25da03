import autocannon from 'autocannon';
import { SeededBits } from '../data/seeded-bits.ts';

export type CallKind = 'gene plot' | 'filter' | 'markers' | 'search';

/** A user of the load: a session with a dataset open, and the genes of that dataset. */
export interface LoadUser {
  readonly headers: Readonly<Record<string, string>>;
  readonly dataset: string;
  readonly genes: readonly string[];
}

export interface LoadOptions {
  readonly address: string;
  readonly users: readonly LoadUser[];
  readonly seconds: number;
  /** Calls a second of all users together. */
  readonly callsPerSecond: number;
  readonly seed: number;
  /** Hears what second it is, once a second. */
  readonly onSecond?: (second: number) => void;
}

export interface LoadReport {
  /** Milliseconds of each call that was answered with success, by kind. */
  readonly answered: Readonly<Record<CallKind, readonly number[]>>;
  readonly statuses: ReadonlyMap<number, number>;
  /** Connections that broke or timed out. */
  readonly broken: number;
}

interface Planned {
  readonly kind: CallKind;
  readonly request: autocannon.Request;
}

const callsInPlan = 200;
/** Of the genes of a dataset these few are asked for again and again. */
const popularGenes = 20;

/**
 * What many users do at once: of ten calls seven draw a gene (of which four fifths one of the popular few), two choose
 * cells, and one in twenty each tests markers or looks a dataset up. Sent by autocannon, whose clients each are one user.
 */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const { address, users, seconds, callsPerSecond, seed } = options;
  const answered: Record<CallKind, number[]> = { 'gene plot': [], filter: [], markers: [], search: [] };
  const statuses = new Map<number, number>();
  const plans = new Map<autocannon.Client, { plan: readonly Planned[]; next: number }>();
  let made = 0;
  const running = autocannon({
    url: address,
    connections: users.length,
    duration: seconds,
    overallRate: callsPerSecond,
    timeout: 60,
    setupClient: (client) => {
      const plan = planOf(users[made % users.length]!, seed + made);
      made += 1;
      plans.set(client, { plan, next: 0 });
      client.setRequests(plan.map(({ request }) => request));
    },
  });
  running.on('response', (client, status, _bytes, milliseconds) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const mine = plans.get(client);
    if (!mine) return;
    const { kind } = mine.plan[mine.next % mine.plan.length]!;
    mine.next += 1;
    if (status === 200) answered[kind].push(milliseconds);
  });
  let second = 0;
  running.on('tick', () => options.onSecond?.((second += 1)));
  const { errors, timeouts } = await running;
  return { answered, statuses, broken: errors + timeouts };
}

function planOf({ headers, dataset, genes }: LoadUser, seed: number): Planned[] {
  const bits = new SeededBits(seed);
  const drawn = new Uint32Array(1);
  const below = (limit: number): number => {
    bits.drawInto(drawn);
    return drawn[0]! % limit;
  };
  const post = (path: string, body: object): autocannon.Request => ({
    method: 'POST',
    path: `/api/${path}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return Array.from({ length: callsInPlan }, (): Planned => {
    const choice = below(20);
    if (choice < 14) {
      const gene = genes[below(5) < 4 ? below(popularGenes) : below(genes.length)]!;
      return {
        kind: 'gene plot',
        request: post('plot-umap-with-genes', { genes: [gene], violin_plot: false }),
      };
    }
    if (choice < 18) {
      const gene = { name: genes[below(popularGenes)]!, presence: 'positive' };
      const filter = { subset_group_name: `Positive ${gene.name}`, gene_filter: true, gene };
      // Half of the time everything again, so that plots of all cells stay the rule.
      const everything = { subset_group_name: 'Default' };
      return { kind: 'filter', request: post('filter-active-dataset', choice < 16 ? filter : everything) };
    }
    if (choice === 18) {
      const body = { groupby: 'cell_type', n_genes: 10, pvals_adj: 0.05, logfoldchanges: 0.25 };
      return { kind: 'markers', request: post('perform-marker-analysis', body) };
    }
    const path = `/api/dataset_analysis/${encodeURIComponent(dataset)}`;
    return { kind: 'search', request: { method: 'GET', path, headers: { ...headers } } };
  });
}
