import type { FastifyRequest } from 'fastify';
import { stdSerializers } from 'pino';

/** Fields of PostgreSQL's errors that contain values of rows, such as mail addresses. */
const rowFields = ['detail', 'where', 'internalQuery'] as const;

/** Also matches the password and host of a URL. */
const mailAddress = /[\w.!#$%&'*+=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Keeps personal data and secrets out of the log. Of a request it has the method and the route, not the URL, which may
 * contain a token, nor the IP address; of an error no values of rows; and no line contains a mail address.
 */
export function logSettings(level: string) {
  return {
    level,
    hooks: { streamWrite: (line: string) => line.replace(mailAddress, '(address)') },
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
