import type { FastifyRequest } from 'fastify';

/**
 * What the log says of a call: its method and the pattern of its route, beside the id that every line of it carries.
 * Neither its address, which may hold a token or a name, nor where it came from.
 */
export function logSettings(level: string) {
  return {
    level,
    serializers: {
      req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url ?? 'none' }),
    },
  };
}
