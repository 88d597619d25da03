import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { network, Admission, type AdmissionLimits, type AdmissionOptions } from './admission.ts';
import type { Caller, Database } from '../database/database.ts';

/**
 * Calls of rest and storage: enough of one user for a page that asks several things at once, and not many more of all
 * than the database has connections, so that who is next is decided here. Whoever waits half a minute has better come
 * again.
 */
const callLimits: AdmissionLimits = {
  running: 16,
  runningPerUser: 4,
  waiting: 1000,
  waitingPerUser: 100,
  patienceMilliseconds: 30_000,
  budget: { milliseconds: 250, share: 0.1 },
};

/**
 * Whoever signs in has no account yet, and a lecture hall one address; what waits is small. Checking a password takes a
 * core for some 30 ms.
 */
const authLimits: AdmissionLimits = {
  ...callLimits,
  waitingPerUser: 400,
  budget: { milliseconds: 500, share: 0.2 },
};

/** Uploads take as long as their line does, so they have places of their own; six parts of one file at a time are usual. */
const uploadLimits: AdmissionLimits = {
  running: 240,
  runningPerUser: 12,
  waiting: 500,
  waitingPerUser: 50,
  patienceMilliseconds: 30_000,
};

export interface Turns {
  readonly auth: Admission;
  readonly calls: Admission;
  readonly uploads: Admission;
}

/** The embedded database does one thing at a time: what is under way waits in a line, and who signs in stands in it. */
const embeddedLimits: AdmissionLimits = { ...callLimits, running: 8, runningPerUser: 2 };

/** `kind` is that of the database. */
export function createTurns(kind: Database['kind'], options: AdmissionOptions = {}): Turns {
  const calls = kind === 'embedded' ? embeddedLimits : callLimits;
  const make = (limits: AdmissionLimits) => new Admission(limits, options);
  return { auth: make(authLimits), calls: make(calls), uploads: make(uploadLimits) };
}

export interface TurnOptions {
  readonly admission: Admission;
  /** Throws where a call is of nobody who may make it: its route will refuse it. */
  readonly callerOf: (request: FastifyRequest) => Promise<Caller | undefined> | Caller | undefined;
  /** Take a visitor's address from the forwarding header that the Fastify instance trusts. */
  readonly trustProxy: boolean;
  /** Which calls wait for a turn; all without it. */
  readonly applies?: (request: FastifyRequest) => boolean;
}

/**
 * Lets the calls of a scope to their handlers by turns: of their users or, of callers without an account, of their
 * networks. The operator's key waits for nobody. A place is held until the answer is there, not until it is sent; of
 * uploads, as their answer comes last, until all is stored. Throws NotAdmitted, for the error handler of the scope.
 */
export function takeTurns(scope: FastifyInstance, options: TurnOptions): void {
  const { admission, callerOf, trustProxy, applies = () => true } = options;
  const leaving = new WeakMap<FastifyRequest, () => void>();
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method === 'OPTIONS' || !applies(request)) return;
    const caller = await whoCalls(request);
    if (caller?.role === 'service_role') return;
    const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
    const from = network(address);
    const gone = new AbortController();
    const leaveEarly = () =>
      gone.abort(Object.assign(new Error('The caller went away.'), { statusCode: 499 }));
    if (reply.raw.destroyed) leaveEarly();
    reply.raw.once('close', leaveEarly);
    const leave = await admission.enter(userOf(caller) ?? from, gone.signal, from);
    leaving.set(request, leave);
    // What is written past the framework comes by here alone. Otherwise a caller who has gone keeps the place until the
    // work is done, or going away would be a way to begin more.
    reply.raw.once('close', () => reply.sent && leave());
  });
  scope.addHook('onSend', async (request, reply) => {
    leaving.get(request)?.();
    if (reply.statusCode === 429) await late();
  });

  async function whoCalls(request: FastifyRequest): Promise<Caller | undefined> {
    try {
      return await callerOf(request);
    } catch {
      return undefined;
    }
  }
}

/** A refusal for too many calls costs little, and many of them a core: whoever calls on at once has to wait for each. */
const lateMilliseconds = 1_000;
/** More than this many are not kept open for it. */
const maxLate = 1_000;
let lateNow = 0;

async function late(): Promise<void> {
  if (lateNow >= maxLate) return;
  lateNow += 1;
  await sleep(lateMilliseconds);
  lateNow -= 1;
}

function userOf(caller: Caller | undefined): string | undefined {
  const id = caller?.role === 'authenticated' ? caller.claims?.['sub'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
