import type { FastifyInstance, FastifyRequest } from 'fastify';
import { network } from './network.ts';
import type { Caller, Database } from '../database/database.ts';
import { Admission, type AdmissionLimits } from './admission.ts';

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
};

/** Whoever signs in has no account yet, and a lecture hall one address; what waits is small. */
const authLimits: AdmissionLimits = { ...callLimits, waitingPerUser: 400 };

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

/** `kind` is that of the database: the embedded one does one thing at a time, so what is under way waits in a line. */
export function createTurns(
  kind: Database['kind'],
  onTurnedAway: (whose: 'user' | 'server') => void = () => {},
): Turns {
  const calls = kind === 'embedded' ? { ...callLimits, running: 8, runningPerUser: 2 } : callLimits;
  const make = (limits: AdmissionLimits) => new Admission(limits, () => false, onTurnedAway);
  return { auth: make(authLimits), calls: make(calls), uploads: make(uploadLimits) };
}

export interface TurnOptions {
  readonly admission: Admission;
  /** Throws where a call is of nobody who may make it: its route will refuse it. */
  readonly callerOf: (request: FastifyRequest) => Promise<Caller | undefined> | Caller | undefined;
  /** Take a visitor's address from the forwarding header that the Fastify instance trusts. */
  readonly trustProxy: boolean;
}

/**
 * Lets the calls of a scope to their handlers by turns: of their users or, of callers without an account, of their
 * networks. The operator's key waits for nobody. A place is held until the answer is there, not until it is sent; of
 * uploads, as their answer comes last, until all is stored. Throws NotAdmitted, for the error handler of the scope.
 */
export function takeTurns(scope: FastifyInstance, { admission, callerOf, trustProxy }: TurnOptions): void {
  const leaving = new WeakMap<FastifyRequest, () => void>();
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method === 'OPTIONS') return;
    const caller = await whoCalls(request);
    if (caller?.role === 'service_role') return;
    const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
    const user = userOf(caller) ?? network(address);
    const gone = new AbortController();
    const leaveEarly = () =>
      gone.abort(Object.assign(new Error('The caller went away.'), { statusCode: 499 }));
    if (reply.raw.destroyed) leaveEarly();
    reply.raw.once('close', leaveEarly);
    const leave = await admission.enter(user, gone.signal);
    leaving.set(request, leave);
    // What is written past the framework comes by here alone. Otherwise a caller who has gone keeps the place until the
    // work is done, or going away would be a way to begin more.
    reply.raw.once('close', () => reply.sent && leave());
  });
  scope.addHook('onSend', async (request) => leaving.get(request)?.());

  async function whoCalls(request: FastifyRequest): Promise<Caller | undefined> {
    try {
      return await callerOf(request);
    } catch {
      return undefined;
    }
  }
}

function userOf(caller: Caller | undefined): string | undefined {
  const id = caller?.role === 'authenticated' ? caller.claims?.['sub'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
