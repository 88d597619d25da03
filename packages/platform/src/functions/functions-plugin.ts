import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from '../gateway/cors.ts';
import { analyzeImage } from './analysis/analyze-image.ts';
import { sendContactEmail } from './contact/send-contact-email.ts';
import { admit } from './function-access.ts';
import { answerErrorsAsJson, takeBodiesAsBytes } from './function-answers.ts';
import { FunctionError } from './function-error.ts';
import type { FunctionsContext } from './functions-context.ts';
import { noPayments } from './payments/no-payments.ts';
import { paymentFunctions } from './payments/payment-functions.ts';
import type { Payments } from './payments/payments.ts';
import { keepUser } from './signed-in.ts';

/** The functions that the official client invokes by name, to be mounted at `/functions/v1`. */
export const functionsPlugin: FastifyPluginAsync<{ context: FunctionsContext }> = async (
  app,
  { context },
) => {
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
  paymentFunctions(app, context, await paymentsOf(context));
  sendContactEmail(app, context);
  analyzeImage(app, context, await modelOf(context));
};

// What an installation does not use is not loaded: the clients of payment and models take time and memory to start.

async function paymentsOf(context: FunctionsContext): Promise<Payments> {
  const { payments } = context.settings;
  if (payments?.kind === 'stripe') {
    const { StripePayments } = await import('./payments/stripe-payments.ts');
    return new StripePayments(payments, context);
  }
  if (payments?.kind === 'test') {
    const { TestPayments } = await import('./payments/test-payments.ts');
    return new TestPayments(context);
  }
  return noPayments;
}

async function modelOf({ settings: { analysis } }: FunctionsContext) {
  if (!analysis.enabled || !analysis.model) return undefined;
  const { createModelAnalysis } = await import('./analysis/model-analysis.ts');
  return createModelAnalysis(analysis.model);
}
