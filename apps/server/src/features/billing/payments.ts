import { FunctionError, userOf } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import { jsonOf } from '../../runtime/functions/functions-context.ts';
import { type Payments, plans } from './payment-provider.ts';
import { subscriptionOf } from './subscription.ts';

const unavailable = async (): Promise<never> => {
  throw new FunctionError(
    503,
    'payments_not_configured',
    'Plans cannot be bought on this server yet: payment is not set up. Please contact us.',
  );
};

/** Used when the operator has configured no payment provider. */
const noPayments: Payments = { checkout: unavailable, portal: unavailable, routes: () => {} };

const checkout = z.object({ plan: z.enum(plans, `Give the plan to buy: "standard".`) });

/** Forms and their requests are short. */
const bodyLimit = 16 * 1024;

/** `check-subscription`, `create-checkout` and `customer-portal`, and the routes of the payment provider. */
export async function paymentFunctions(app: FastifyInstance, context: FunctionsContext): Promise<void> {
  const payments = await paymentsOf(context);
  const { database, settings, limits, now } = context;

  app.post('/check-subscription', { config: { functionAccess: 'session' }, bodyLimit }, async (request) => {
    const { trialDays } = settings;
    const subscription = await subscriptionOf(database, userOf(request).id, {
      trialDays,
      now: new Date(now()),
    });
    if (!subscription) throw new FunctionError(401, 'session_not_found', 'This account no longer exists.');
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

// What an installation does not use is not loaded: the client of payments takes time and memory to start.
async function paymentsOf(context: FunctionsContext): Promise<Payments> {
  const { payments } = context.settings;
  if (payments?.kind === 'stripe') {
    const { StripePayments } = await import('./stripe-payments.ts');
    return new StripePayments(payments, context);
  }
  if (payments?.kind === 'test') {
    const { TestPayments } = await import('./test-mode-payments.ts');
    return new TestPayments(context);
  }
  return noPayments;
}
