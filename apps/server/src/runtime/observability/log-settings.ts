import type { FastifyRequest } from 'fastify';
import { type LogFn, type Logger, stdSerializers } from 'pino';
import type { DatabaseOutages } from './database-outages.ts';

/** Fields of PostgreSQL's errors that contain values of rows, such as mail addresses. */
const rowFields = ['detail', 'where', 'internalQuery'] as const;

/** Also matches the password and host of a URL. */
const mailAddress = /[\w.!#$%&'*+=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Keeps personal data and secrets out of the log. Of a request it logs the method and the route, not the URL, which may
 * contain a token, nor the IP address; of an error no row values; and no line contains a mail address. Errors of an
 * unavailable database are left to `outages`.
 */
export function logSettings(level: string, outages?: DatabaseOutages) {
  return {
    level,
    hooks: {
      streamWrite: (line: string) => line.replace(mailAddress, '(address)'),
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, lineLevel: number) {
        const [first] = args as unknown[];
        const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
        const refusesCall = 'reqId' in this.bindings() && lineLevel >= this.levels.values['error']!;
        if (outages?.covers(error, { refusesCall }) !== true) method.apply(this, args);
      },
    },
    serializers: {
      req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url ?? 'none' }),
      err: (error: Error) => {
        const serialized = { ...stdSerializers.err(error) };
        for (const name of rowFields) delete serialized[name];
        return serialized;
      },
    },
  };
}
