import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Services } from '../../boot/services.ts';

/** A route file exports one of these; schemas in it type its handler. Most need nearly all services, some need few. */
export type Route<Needs = Services> = FastifyPluginAsyncZod<{ services: Needs }>;
