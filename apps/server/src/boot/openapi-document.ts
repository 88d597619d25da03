import swagger from '@fastify/swagger';
import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { openApiOptions } from '../runtime/http/openapi.ts';
import { requestValidatorCompiler } from '../runtime/http/request-checks.ts';
import type { Route } from '../runtime/http/routes.ts';
import { routes } from './routes.ts';
import type { Services } from './services.ts';

/** The document of `/api/openapi.json` without a server: routes need their services to answer, not to be described. */
export async function openApiDocument(): Promise<object> {
  const app = fastify();
  app.setValidatorCompiler(requestValidatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, openApiOptions);
  for (const route of routes as readonly Route<Services>[])
    await app.register(route, { services: absentServices as Services });
  await app.ready();
  return app.swagger();
}

/** Every property and every result of a call is the same again. */
const absentServices: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : absentServices),
  apply: () => absentServices,
});
