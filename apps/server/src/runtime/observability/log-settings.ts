import type { FastifyRequest } from 'fastify';
import { stdSerializers } from 'pino';

/** What PostgreSQL adds to an error of the rows that it met: values that people have typed, addresses among them. */
const valuesOfRows = ['detail', 'where', 'internalQuery'] as const;

/** Of mail, as other servers say them in their refusals; also what stands before the host of an address with a password. */
const mailAddress = /[\w.!#$%&'*+=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;

/**
 * What the log says of a call: its method and the pattern of its route, beside the id that every line of it carries.
 * Neither its address, which may hold a token or a name, nor where it came from. And of an error what went wrong, not
 * with whose row. No line has an address of mail, whoever put it there.
 */
export function logSettings(level: string) {
  return {
    level,
    hooks: { streamWrite: (line: string) => line.replace(mailAddress, '(address)') },
    serializers: {
      req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url ?? 'none' }),
      err: (error: Error) => {
        const told = { ...stdSerializers.err(error) };
        for (const name of valuesOfRows) delete told[name];
        return told;
      },
    },
  };
}
