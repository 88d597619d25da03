import { setTimeout as sleep } from 'node:timers/promises';
import { type RecentUsers, tooManyOfUser } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';

/** Time between the calls of one user; each takes about 4 ms of the main thread. */
const paceMilliseconds = 12;
/** Calls that would wait longer are refused. */
const maxWaitMilliseconds = 2_000;

/**
 * Starts the calls of one user, or of the visitors of one network, a few milliseconds apart while others are active:
 * otherwise the bodies of many calls that arrive at once would be parsed in one go, delaying the short steps of all
 * other calls. Throws NotAdmitted.
 */
export function paceCalls(api: FastifyInstance, recent: Pick<RecentUsers, 'untilAlone'>): void {
  const next = new Map<string, number>();
  api.addHook('preParsing', async ({ member, visitor }) => {
    const user = member?.userId ?? visitor?.network;
    if (user === undefined) return;
    const now = performance.now();
    const begin = recent.untilAlone(user, now) > 0 ? (next.get(user) ?? now) : now;
    for (const [other, at] of next) if (at <= now) next.delete(other);
    if (begin - now > maxWaitMilliseconds) throw tooManyOfUser();
    next.set(user, Math.max(begin, now) + paceMilliseconds);
    if (begin > now) await sleep(begin - now);
  });
}
