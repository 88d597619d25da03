import { createStripe, isMissing, stripeFailure } from './stripe-client.ts';
import { createHash } from 'node:crypto';
import { FunctionError, type SignedInUser } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';
import type { Stripe } from 'stripe';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import type { StripeSettings } from '../../runtime/functions/functions-settings.ts';
import { customerOfUser, forgetCustomer, keepCustomer, paidTier } from './paid-subscriptions.ts';
import { type Payments, type Plan, tierOf } from './payment-provider.ts';
import { stripeWebhook } from './stripe-webhook.ts';
import { subscriptionOf } from './subscription.ts';

export class StripePayments implements Payments {
  readonly #stripe: Stripe;
  readonly #settings: StripeSettings;
  readonly #context: FunctionsContext;

  constructor(settings: StripeSettings, context: FunctionsContext) {
    this.#stripe = createStripe(settings);
    this.#settings = settings;
    this.#context = context;
  }

  async checkout(user: SignedInUser, plan: Plan): Promise<string> {
    const [price] = this.#settings.prices[plan];
    if (price === undefined) {
      throw new FunctionError(
        400,
        'plan_not_available',
        'The Professional plan is Coming Soon and cannot be bought yet.',
      );
    }
    const { database, settings, siteUrl, now } = this.#context;
    // Who pays already is led to what they pay for, or they would pay twice.
    if (await paidTier(database, user.id)) return this.portal(user);
    const { trialDays } = settings;
    const current = await subscriptionOf(database, user.id, { trialDays, now: new Date(now()) });
    if (current?.tier === 'Professional' || current?.tier === tierOf[plan]) {
      const message = `You already have the ${current.tier} plan.`;
      throw new FunctionError(409, 'already_subscribed', message);
    }
    const metadata = { user_id: user.id, plan };
    const session = await this.#withCustomer(user, (customer) =>
      this.#stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        client_reference_id: user.id,
        line_items: [{ price, quantity: 1 }],
        metadata,
        subscription_data: { metadata },
        success_url: `${siteUrl}/account`,
        cancel_url: `${siteUrl}/pricing`,
      }),
    );
    if (!session.url) throw stripeFailure(new Error(`The checkout session ${session.id} has no address.`));
    return session.url;
  }

  async portal(user: SignedInUser): Promise<string> {
    const { database, siteUrl } = this.#context;
    const customer = await customerOfUser(database, user.id);
    if (customer === undefined) throw nothingBought();
    try {
      const session = await this.#stripe.billingPortal.sessions.create({
        customer,
        return_url: `${siteUrl}/account`,
      });
      return session.url;
    } catch (error) {
      if (!isMissing(error)) throw stripeFailure(error);
      await forgetCustomer(database, customer);
      throw nothingBought(error);
    }
  }

  routes(app: FastifyInstance): void {
    stripeWebhook(app, { ...this.#context, stripe: this.#stripe, stripeSettings: this.#settings });
  }

  /** Runs `work` for the user's customer; one that was deleted at Stripe is created again, once. */
  async #withCustomer<T>(user: SignedInUser, work: (customer: string) => Promise<T>): Promise<T> {
    const { database } = this.#context;
    try {
      const customer = (await customerOfUser(database, user.id)) ?? (await this.#newCustomer(user, ''));
      try {
        return await work(customer);
      } catch (error) {
        if (!isMissing(error, 'customer')) throw error;
        await forgetCustomer(database, customer);
        return await work(await this.#newCustomer(user, customer));
      }
    } catch (error) {
      throw stripeFailure(error);
    }
  }

  async #newCustomer({ id, email }: SignedInUser, instead: string): Promise<string> {
    // Two tabs that begin at once get one customer. Stripe repeats its answer for a day, also once that customer is
    // deleted, so the key says which one the new one stands in for.
    const idempotencyKey = createHash('sha256').update(`customer ${id} ${email} ${instead}`).digest('hex');
    const { id: customer } = await this.#stripe.customers.create(
      { ...(email !== '' && { email }), metadata: { user_id: id } },
      { idempotencyKey },
    );
    return keepCustomer(this.#context.database, id, customer);
  }
}

function nothingBought(cause?: unknown): FunctionError {
  const message = 'There is nothing to manage: no plan was bought with this account.';
  return new FunctionError(404, 'nothing_bought', message, { cause });
}
