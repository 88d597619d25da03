import { createHash } from 'node:crypto';
import { FunctionError, type SignedInUser, bytesOf } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { type Owner, ownerOfUser } from '../../runtime/owners.ts';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import type { StripeSettings } from '../../runtime/functions/functions-settings.ts';
import { createStripe, isMissing, stripeFailure } from './stripe-client.ts';
import {
  customerOfOwner,
  forgetCustomer,
  keepCustomer,
  paidTier,
  databaseClock,
  isAccount,
  recordEvent,
  takeWord,
  ownerOfCustomer,
  wasDealtWith,
  at,
  stateOf,
  type StripeSubscription,
  stripeSubscription,
} from './paid-subscriptions.ts';
import { type Payments, type Plan, tierOf } from './payment-provider.ts';
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
    if (await paidTier(database, ownerOfUser(user.id))) return this.portal(user);
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
    const customer = await customerOfOwner(database, ownerOfUser(user.id));
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
      const customer =
        (await customerOfOwner(database, ownerOfUser(user.id))) ?? (await this.#newCustomer(user, ''));
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
    return keepCustomer(this.#context.database, ownerOfUser(id), customer);
  }
}

function nothingBought(cause?: unknown): FunctionError {
  const message = 'There is nothing to manage: this account has not bought a plan.';
  return new FunctionError(404, 'nothing_bought', message, { cause });
}

interface WebhookContext extends Pick<FunctionsContext, 'database' | 'log'> {
  stripe: Stripe;
  stripeSettings: StripeSettings;
}

/** Maximum age of a signature in seconds, as Stripe advises. */
const toleranceSeconds = 300;
const bodyLimit = 1024 * 1024;

const reference = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]);

const event = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string(),
  created: z.number().int().nonnegative(),
  data: z.looseObject({ object: z.unknown() }),
});
type Event = z.output<typeof event>;

const finishedCheckout = z.looseObject({
  customer: reference.nullish(),
  subscription: reference.nullish(),
  client_reference_id: z.string().nullish(),
});

/** Since 2025 the subscription is part of the invoice's parent, before of the invoice. */
const invoice = z
  .looseObject({
    subscription: reference.nullish(),
    parent: z
      .looseObject({
        subscription_details: z.looseObject({ subscription: reference.nullish() }).nullish(),
      })
      .nullish(),
  })
  .transform(
    ({ subscription, parent }) => parent?.subscription_details?.subscription ?? subscription ?? undefined,
  );

/** Every outcome is answered with 200; otherwise Stripe would redeliver the event for days. */
type Outcome = 'taken' | 'stale' | 'repeated' | 'ignored' | 'unknown_customer';

/**
 * `POST /stripe-webhook`: events about customers and payments. Accepted only with Stripe's signature over the raw body.
 * Each event counts once; a repeated event, or an older one after a newer one, changes nothing.
 */
function stripeWebhook(app: FastifyInstance, context: WebhookContext): void {
  app.post('/stripe-webhook', { config: { open: true }, bodyLimit }, async (request, reply) => {
    const stripeEvent = verified(context, bytesOf(request), request.headers['stripe-signature']);
    const outcome = await handleEvent(context, stripeEvent);
    context.log.info({ event: stripeEvent.id, type: stripeEvent.type, outcome }, 'payment event');
    return reply.code(200).send({ received: true, outcome });
  });
}

function verified({ stripeSettings }: WebhookContext, body: Buffer, signature: unknown): Event {
  if (typeof signature !== 'string') {
    throw new FunctionError(400, 'missing_signature', 'The event is not signed.');
  }
  try {
    Stripe.webhooks.constructEvent(body, signature, stripeSettings.webhookSecret, toleranceSeconds);
  } catch (cause) {
    throw new FunctionError(400, 'invalid_signature', 'The signature of the event is not valid.', { cause });
  }
  const parsed = event.safeParse(JSON.parse(body.toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new FunctionError(400, 'invalid_request', 'This is not an event.', { cause: parsed.error });
}

async function handleEvent(context: WebhookContext, stripeEvent: Event): Promise<Outcome> {
  const { database } = context;
  if (await wasDealtWith(database, stripeEvent.id)) return 'repeated';
  const outcome = await outcomeOf(context, stripeEvent);
  if (outcome !== 'taken' && outcome !== 'stale') {
    await recordEvent(database.pool, { eventId: stripeEvent.id, type: stripeEvent.type, outcome });
  }
  return outcome;
}

async function outcomeOf(context: WebhookContext, stripeEvent: Event): Promise<Outcome> {
  const { object } = stripeEvent.data;
  switch (stripeEvent.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed': {
      const parsed = stripeSubscription.safeParse(object);
      if (!parsed.success) return ignored(context, stripeEvent, parsed.error);
      return take(context, stripeEvent, parsed.data);
    }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const checkout = finishedCheckout.safeParse(object);
      if (!checkout.success) return ignored(context, stripeEvent, checkout.error);
      const { customer, subscription, client_reference_id: userId } = checkout.data;
      if (customer && userId && (await isUser(context, userId))) {
        await keepCustomer(context.database, ownerOfUser(userId), customer);
      }
      return subscription ? ask(context, stripeEvent, subscription) : 'ignored';
    }
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.payment_failed': {
      const subscription = invoice.safeParse(object).data;
      return subscription ? ask(context, stripeEvent, subscription) : 'ignored';
    }
    case 'customer.deleted': {
      const customer = reference.safeParse(object).data;
      if (customer) await forgetCustomer(context.database, customer);
      return 'ignored';
    }
    default:
      return 'ignored';
  }
}

function ignored({ log }: WebhookContext, { id, type }: Event, err: unknown): Outcome {
  log.warn({ event: id, type, err }, 'payment event is not as expected');
  return 'ignored';
}

/**
 * Stores the state in the event itself; if one of the same second is stored already, reads the current state from
 * Stripe.
 */
async function take(
  context: WebhookContext,
  stripeEvent: Event,
  subscription: StripeSubscription,
  readAt?: string,
): Promise<Outcome> {
  const owner = await payerOf(context, subscription);
  if (owner === undefined) {
    context.log.warn(
      { event: stripeEvent.id, type: stripeEvent.type },
      'payment event of a customer who is no user here',
    );
    return 'unknown_customer';
  }
  const outcome = await takeWord(
    context.database,
    {
      subscriptionId: subscription.id,
      owner,
      ...stateOf(subscription, context.stripeSettings.prices),
      asOf: at(stripeEvent.created),
      ...(readAt !== undefined && { readAt }),
    },
    { eventId: stripeEvent.id, type: stripeEvent.type },
  );
  return outcome === 'same-second' ? ask(context, stripeEvent, subscription.id, subscription) : outcome;
}

/**
 * Stores the subscription's current state at Stripe: the event is about another object, or is one of several in a
 * second. If Stripe does not know the subscription, the state in the event (`fallback`) counts, unless it is the creation.
 */
async function ask(
  context: WebhookContext,
  stripeEvent: Event,
  subscriptionId: string,
  fallback?: StripeSubscription,
): Promise<Outcome> {
  // Before the question: whoever asked later knows at least as much.
  const readAt = await databaseClock(context.database);
  let answer: unknown;
  try {
    answer = await context.stripe.subscriptions.retrieve(subscriptionId);
  } catch (error) {
    if (isMissing(error)) {
      if (fallback && !stripeEvent.type.endsWith('.created'))
        return take(context, stripeEvent, fallback, readAt);
      return ignored(context, stripeEvent, error);
    }
    // 5xx: Stripe delivers the event again.
    throw stripeFailure(error);
  }
  const read = stripeSubscription.safeParse(answer);
  if (!read.success) return ignored(context, stripeEvent, read.error);
  return take(context, stripeEvent, read.data, readAt);
}

/** Found by the metadata written at checkout, else by the customer. */
async function payerOf(
  context: WebhookContext,
  { metadata, customer }: StripeSubscription,
): Promise<Owner | undefined> {
  const named = metadata?.['user_id'];
  if (named !== undefined && (await isUser(context, named))) {
    const owner = ownerOfUser(named);
    await keepCustomer(context.database, owner, customer);
    return owner;
  }
  return ownerOfCustomer(context.database, customer);
}

async function isUser({ database }: WebhookContext, id: string): Promise<boolean> {
  return z.uuid().safeParse(id).success && isAccount(database, id);
}
