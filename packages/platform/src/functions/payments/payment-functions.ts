import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { subscriptionOf } from '../../accounts/subscription.ts';
import { jsonOf } from '../function-answers.ts';
import { FunctionError } from '../function-error.ts';
import type { FunctionsContext } from '../functions-context.ts';
import { userOf } from '../signed-in.ts';
import type { Payments } from './payments.ts';
import { plans } from './payments.ts';

const checkout = z.object({ plan: z.enum(plans, `Give the plan to buy: "standard".`) });

/** Forms and what they ask for are short. */
const bodyLimit = 16 * 1024;

/** `check-subscription`, `create-checkout` and `customer-portal`, and the routes of whoever is paid. */
export function paymentFunctions(app: FastifyInstance, context: FunctionsContext, payments: Payments): void {
  const { database, settings, limits, now } = context;

  app.post('/check-subscription', { config: { functionAccess: 'session' }, bodyLimit }, async (request) => {
    const { trialDays } = settings;
    const subscription = await subscriptionOf(database, userOf(request).id, {
      trialDays,
      now: new Date(now()),
    });
    if (!subscription) throw new FunctionError(401, 'session_not_found', 'This account is no more.');
    const { subscribed, tier, until } = subscription;
    return { subscribed, subscription_tier: tier, subscription_end: until?.toISOString() ?? null };
  });

  app.post('/create-checkout', { config: { functionAccess: 'user' }, bodyLimit }, async (request) => {
    const { plan } = jsonOf(request, checkout);
    const user = userOf(request);
    await limits.countPayment(user.id);
    return { url: await payments.checkout(user, plan, request) };
  });

  app.post('/customer-portal', { config: { functionAccess: 'user' }, bodyLimit }, async (request) => {
    const user = userOf(request);
    await limits.countPayment(user.id);
    return { url: await payments.portal(user, request) };
  });

  payments.routes(app);
}
