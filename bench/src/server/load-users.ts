import autocannon from 'autocannon';
import { type Asked, type CallKind, callOf, type LoadUser, planOf } from './load-plan.ts';

export interface LoadOptions {
  readonly address: string;
  readonly users: readonly LoadUser[];
  readonly seconds: number;
  /** Calls a second of all users together, none of whom calls again before the answer; absent: as soon as answered. */
  readonly callsPerSecond?: number;
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
  /** Milliseconds after the first user at which each began: a moment of their own that calls keep, second by second. */
  readonly beginnings: readonly number[];
}

/** What many users do at once, by their plans. Sent by autocannon, whose clients each are one user. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const { address, users, seconds, callsPerSecond, seed } = options;
  const answered: Record<CallKind, number[]> = { 'gene plot': [], filter: [], markers: [], search: [] };
  const statuses = new Map<number, number>();
  const plans = new Map<autocannon.Client, { plan: readonly Asked[]; next: number }>();
  const beginnings: number[] = [];
  let made = 0;
  const running = autocannon({
    url: address,
    connections: users.length,
    duration: seconds,
    ...(callsPerSecond !== undefined && { overallRate: callsPerSecond }),
    timeout: 60,
    setupClient: (client) => {
      const user = users[made % users.length]!;
      const plan = planOf(user, seed + made);
      made += 1;
      plans.set(client, { plan, next: 0 });
      beginnings.push(performance.now());
      client.setRequests(plan.map((asked) => requestOf(asked, user)));
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
  return {
    answered,
    statuses,
    broken: errors + timeouts,
    beginnings: beginnings.map((moment) => moment - beginnings[0]!),
  };
}

/** One user who makes these calls one after the other, each as soon as the one before is answered: milliseconds of each. */
export async function inTurn(address: string, user: LoadUser, calls: readonly Asked[]): Promise<number[]> {
  const taken: number[] = [];
  const running = autocannon({
    url: address,
    connections: 1,
    amount: calls.length,
    // How often it looks whether all have been answered.
    sampleInt: 50,
    timeout: 60,
    setupClient: (client) => client.setRequests(calls.map((asked) => requestOf(asked, user))),
  });
  let refused = 0;
  running.on('response', (_client, status, _bytes, milliseconds) => {
    if (status !== 200) refused += 1;
    taken.push(milliseconds);
  });
  const { errors, timeouts } = await running;
  if (refused + errors + timeouts > 0)
    throw new Error(`of ${calls.length} calls ${refused} were refused and ${errors + timeouts} broke`);
  return taken;
}

function requestOf(asked: Asked, user: LoadUser): autocannon.Request {
  const { method, path, body } = callOf(asked, user);
  return body === undefined
    ? { method, path, headers: { ...user.headers } }
    : {
        method,
        path,
        headers: { ...user.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
}
