import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  network,
  Admission,
  type AdmissionLimits,
  type AdmissionOptions,
  type Release,
} from './admission.ts';
import type { Caller, Database } from '../database/database.ts';

/** Excludes the first 20 ms, in which a call waits for calls of others. */
const ownTime = (elapsed: number): number => Math.max(0, elapsed - 20);
/** Main-thread time of the cheapest call. */
const callMilliseconds = 8;
/**
 * Milliseconds of the main thread and the database per byte: reading, parsing and copying; a body arrives before its
 * call has a turn.
 */
const bytePrice = 10 / 2 ** 20;

/**
 * Limits of rest and storage calls: per user enough for a page with several concurrent requests, in total not many more
 * than the database has connections, so that the fair queue here decides the order.
 */
const callLimits: AdmissionLimits = {
  running: 16,
  runningPerUser: 4,
  waiting: 1000,
  waitingPerUser: 100,
  queueTimeoutMilliseconds: 30_000,
  budget: {
    milliseconds: 250,
    share: 0.1,
    costOf: (elapsed, bytes) => callMilliseconds + ownTime(elapsed) + bytes * bytePrice,
  },
};

/**
 * Sign-ins count by network, and a lecture hall shares one address; queued calls are small. Checking a password takes a
 * core for about 30 ms.
 */
const authLimits: AdmissionLimits = {
  ...callLimits,
  waitingPerUser: 400,
  budget: { milliseconds: 500, share: 0.2, costOf: ownTime },
};

/** Uploads depend on the client's bandwidth, so they have separate limits; clients send about six parts at a time. */
const uploadLimits: AdmissionLimits = {
  running: 240,
  runningPerUser: 12,
  waiting: 500,
  waitingPerUser: 50,
  queueTimeoutMilliseconds: 30_000,
};

export interface ServiceAdmissions {
  readonly auth: Admission;
  readonly calls: Admission;
  readonly uploads: Admission;
}

/** The embedded database runs one query at a time; running calls would queue there ahead of sign-ins. */
const embeddedLimits: AdmissionLimits = { ...callLimits, running: 8, runningPerUser: 2 };

export function createServiceAdmissions(
  kind: Database['kind'],
  options: AdmissionOptions = {},
): ServiceAdmissions {
  const calls = kind === 'embedded' ? embeddedLimits : callLimits;
  const make = (limits: AdmissionLimits) => new Admission(limits, options);
  return { auth: make(authLimits), calls: make(calls), uploads: make(uploadLimits) };
}

interface ServiceAdmissionOptions {
  admission: Admission;
  /** May throw for an unauthorised call, which its route then rejects. */
  callerOf: (request: FastifyRequest) => Promise<Caller | undefined> | Caller | undefined;
  /** Take the client's address from the forwarding header that the Fastify instance trusts. */
  trustProxy: boolean;
  /** Which calls wait for a turn; default all. */
  applies?: (request: FastifyRequest) => boolean;
}

/**
 * Queues the calls of a scope fairly by user or, without an account, by network. Calls with the operator's key are not
 * queued. A turn lasts until the response is ready to send; for uploads that is when everything is stored. Throws
 * NotAdmitted, for the error handler of the scope.
 */
export function takeTurns(scope: FastifyInstance, options: ServiceAdmissionOptions): void {
  const { admission, callerOf, trustProxy, applies = () => true } = options;
  const leaving = new WeakMap<FastifyRequest, Release>();
  scope.addHook('preHandler', async (request, reply) => {
    if (request.method === 'OPTIONS' || !applies(request)) return;
    const caller = await whoCalls(request);
    if (caller?.role === 'service_role') return;
    const address = (trustProxy ? request.ip : request.socket.remoteAddress) ?? '0.0.0.0';
    const from = network(address);
    const controller = new AbortController();
    const leaveEarly = () =>
      controller.abort(Object.assign(new Error('The caller went away.'), { statusCode: 499 }));
    if (reply.raw.destroyed) leaveEarly();
    reply.raw.once('close', leaveEarly);
    const leave = await admission.enter(userOf(caller) ?? from, controller.signal, from);
    leaving.set(request, leave);
    // For responses written past the framework, which skip onSend. Otherwise a disconnected client keeps the turn until
    // the work is done; releasing it earlier would let clients start more work by disconnecting.
    reply.raw.once('close', () => reply.sent && leave());
  });
  scope.addHook('onSend', async (request, reply) => {
    const lengths = [request.headers['content-length'], reply.getHeader('content-length')];
    leaving.get(request)?.(lengths.reduce<number>((sum, length) => sum + (Number(length) || 0), 0));
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

/** Rejections are delayed, because clients that retry immediately could keep a core busy with them. */
const lateMilliseconds = 1_000;
/** Maximum number of delayed rejections; further ones are sent immediately. */
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
