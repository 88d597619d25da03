import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from '../gateway/cors.ts';
import { admit } from './function-access.ts';
import { answerErrorsAsJson, takeBodiesAsBytes } from './function-error.ts';
import { FunctionError } from './function-error.ts';
import type { FunctionsContext, MountFunctions } from './function-access.ts';
import { keepUser } from './function-access.ts';

/** The functions of an application, which the official client invokes by name, to be mounted at `/functions/v1`. */
export const functionsPlugin: FastifyPluginAsync<{
  context: FunctionsContext;
  mount: MountFunctions;
}> = async (app, { context, mount }) => {
  allowOtherOrigins(app);
  answerErrorsAsJson(app);
  takeBodiesAsBytes(app);
  // Before the body is read: a stranger's is not waited for.
  app.addHook('onRequest', async (request) => {
    const { open, functionAccess } = request.routeOptions.config;
    if (open || request.is404) return;
    keepUser(request, await admit(context, functionAccess ?? 'user', request.headers));
  });
  app.setNotFoundHandler(async (request) => {
    const [path = ''] = request.url.split('?', 1);
    const known = app.hasRoute({ method: 'POST', url: path });
    if (known) throw new FunctionError(405, 'method_not_allowed', 'Functions are called by POST.');
    throw new FunctionError(404, 'function_not_found', 'There is no such function.');
  });
  await mount(app, context);
};
