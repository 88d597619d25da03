import type { Database } from '@cellfolio/platform';
import { productFunctions, setPlan } from '@cellfolio/server';
import type { FunctionsHttpError } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import {
  olderSubscription,
  signatureOf,
  startStripe,
  stripeEvent,
  stripeKeys,
  type StripeServer,
  subscription,
  type SubscriptionFacts,
} from './functions-stripe.ts';
import { type PlatformServer, startPlatform } from './platform-server.ts';

const password = 'correct horse';
const day = 86_400;
const now = () => Math.floor(Date.now() / 1000);

describe.each(databases)('on the $name database', ({ name, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let stripe: StripeServer;
  let server: PlatformServer;
  beforeAll(async () => {
    [opened, stripe] = await Promise.all([open(), startStripe()]);
    database = opened.database;
    const prices = { standard: ['price_standard', 'price_of_2025'] };
    server = await startPlatform(
      database,
      {},
      {
        functions: productFunctions({
          trialDays: 7,
          payments: { kind: 'stripe', ...stripeKeys, prices, apiUrl: stripe.url },
        }),
      },
    );
  });
  afterAll(async () => {
    await server?.close();
    await stripe?.close();
    await opened?.close();
  });

  let people = 0;
  const signUp = async (make = clientVersions[0]!.make) => {
    const client = make(server.url, server.keys.publishableKey);
    const email = `payer${(people += 1)}@example.org`;
    const { data } = await client.auth.signUp({ email, password });
    return { client, email, id: data.user!.id };
  };

  const planOf = async (client: Client) => {
    const { data, error } = await client.functions.invoke('check-subscription');
    if (error) throw error;
    return data as object;
  };
  const noPlan = { subscribed: false, subscription_tier: null, subscription_end: null };
  const paid = (tier: string, end: number | null) => ({
    subscribed: true,
    subscription_tier: tier,
    subscription_end: end === null ? null : new Date(end * 1000).toISOString(),
  });

  const refusal = async (error: unknown) => {
    expect(error).toHaveProperty('name', 'FunctionsHttpError');
    const answer = (error as FunctionsHttpError).context as Response;
    return { status: answer.status, ...((await answer.json()) as { code: string; error: string }) };
  };

  const post = (body: string, signature: string | undefined) =>
    fetch(`${server.url}/functions/v1/stripe-webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(signature !== undefined && { 'stripe-signature': signature }),
      },
      body,
    });
  const deliver = async (event: object) => {
    const body = JSON.stringify(event, null, 2);
    const answer = await post(body, signatureOf(body));
    return { status: answer.status, ...((await answer.json()) as { outcome?: string; code?: string }) };
  };

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', ({ make }) => {
    test('check-subscription returns plan and end', async () => {
      const { client, email, id } = await signUp(make);
      expect(await planOf(client)).toEqual(noPlan);
      await setPlan(database, email, 'Standard');
      expect(await planOf(client)).toEqual(paid('Standard', null));
      const end = now() + 10 * day;
      await setPlan(database, email, 'Professional', new Date(end * 1000));
      expect(await planOf(client)).toEqual(paid('Professional', end));
      await setPlan(database, email, 'Professional', new Date((now() - 60) * 1000));
      expect(await planOf(client)).toEqual(noPlan);
      await setPlan(database, email, null);
      await database.pool.query(
        `update auth.users set created_at = now() - interval '8 days' where id = $1`,
        [id],
      );
      expect(await planOf(client)).toEqual(noPlan);
    });

    test('create-checkout leads to Stripe with the price, the customer and the user', async () => {
      const { client, email, id } = await signUp(make);
      const { data, error } = await client.functions.invoke('create-checkout', {
        body: { plan: 'standard' },
      });
      expect(error).toBeNull();
      expect(data).toEqual({ url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//) });
      expect(stripe.requests('/v1/customers').at(-1)?.form).toEqual({ email, 'metadata[user_id]': id });
      expect(stripe.requests('/v1/checkout/sessions').at(-1)?.form).toEqual({
        mode: 'subscription',
        customer: expect.stringMatching(/^cus_/),
        client_reference_id: id,
        'line_items[0][price]': 'price_standard',
        'line_items[0][quantity]': '1',
        'metadata[user_id]': id,
        'metadata[plan]': 'standard',
        'subscription_data[metadata][user_id]': id,
        'subscription_data[metadata][plan]': 'standard',
        success_url: `${server.url}/account`,
        cancel_url: `${server.url}/pricing`,
      });
    });

    test('customer-portal leads to the portal, and is an error for users who have bought nothing', async () => {
      const { client } = await signUp(make);
      const before = await client.functions.invoke('customer-portal');
      expect(await refusal(before.error)).toMatchObject({ status: 404, code: 'nothing_bought' });
      await client.functions.invoke('create-checkout', { body: { plan: 'standard' } });
      const { data } = await client.functions.invoke('customer-portal');
      expect(data).toEqual({ url: expect.stringMatching(/^https:\/\/billing\.stripe\.com\//) });
      const bought = stripe.requests('/v1/checkout/sessions').at(-1)?.form['customer'];
      expect(stripe.requests('/v1/billing_portal/sessions').at(-1)?.form).toEqual({
        customer: bought,
        return_url: `${server.url}/account`,
      });
    });

    test('signed-out users and unknown functions get errors', async () => {
      const visitor = make(server.url, server.keys.publishableKey);
      for (const name of ['check-subscription', 'create-checkout', 'customer-portal', 'analyze-image']) {
        const { error } = await visitor.functions.invoke(name, { body: { plan: 'standard' } });
        expect(await refusal(error)).toMatchObject({ status: 401, code: 'missing_token' });
      }
      const { client } = await signUp(make);
      const { error } = await client.functions.invoke('create-money');
      expect(await refusal(error)).toMatchObject({ status: 404, code: 'function_not_found' });
      const read = await client.functions.invoke('check-subscription', { method: 'GET' });
      expect(await refusal(read.error)).toMatchObject({ status: 405 });
    });
  });

  test('two concurrent checkouts create one customer', async () => {
    const { client } = await signUp();
    const before = stripe.requests('/v1/checkout/sessions').length;
    const invoke = () => client.functions.invoke('create-checkout', { body: { plan: 'standard' } });
    await Promise.all([invoke(), invoke(), invoke()]);
    const sessions = stripe.requests('/v1/checkout/sessions').slice(before);
    expect(sessions).toHaveLength(3);
    expect(new Set(sessions.map(({ form }) => form['customer'])).size).toBe(1);
  });

  test('a customer that was deleted at Stripe is created again', async () => {
    const { client } = await signUp();
    const invoke = () => client.functions.invoke('create-checkout', { body: { plan: 'standard' } });
    await invoke();
    const first = stripe.requests('/v1/checkout/sessions').at(-1)!.form['customer']!;
    stripe.deleted.add(first);
    expect((await client.functions.invoke('customer-portal')).error).toBeTruthy();
    expect((await invoke()).error).toBeNull();
    expect(stripe.requests('/v1/checkout/sessions').at(-1)?.form['customer']).not.toBe(first);
  });

  test('unavailable plans are refused, and a plan cannot be bought twice', async () => {
    const { client, email } = await signUp();
    const buy = async (plan: unknown) =>
      refusal((await client.functions.invoke('create-checkout', { body: { plan } })).error);
    expect(await buy('professional')).toMatchObject({
      status: 400,
      code: 'plan_not_available',
      error: expect.stringContaining('Coming Soon'),
    });
    for (const plan of ['gold', 1, null, '__proto__']) {
      expect(await buy(plan)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    await setPlan(database, email, 'Professional');
    expect(await buy('standard')).toMatchObject({ status: 409, code: 'already_subscribed' });
  });

  test.each([
    ['is out of order', { status: 500, body: { error: { type: 'api_error', message: 'sk_test_x' } } }, 502],
    ['is busy', { status: 429, body: { error: { type: 'rate_limit_error', message: 'slow down' } } }, 503],
    ['knows no such price', { status: 400, body: { error: { type: 'invalid_request_error' } } }, 502],
    ['sends an unknown answer', { status: 200, body: { object: 'nothing' } }, 502],
  ])('when Stripe %s, the response is an error without its message', async (_case, trouble, status) => {
    const { client } = await signUp();
    stripe.failure = trouble;
    try {
      const { error } = await client.functions.invoke('create-checkout', { body: { plan: 'standard' } });
      const problem = await refusal(error);
      expect(problem.status).toBe(status);
      expect(JSON.stringify(problem)).not.toMatch(/sk_test|slow down/);
    } finally {
      stripe.failure = undefined;
    }
  });

  describe('the webhook', () => {
    let facts: SubscriptionFacts;
    let payer: Awaited<ReturnType<typeof signUp>>;
    const start = now() - 1000;
    let number = 0;
    beforeEach(async () => {
      payer = await signUp();
      number += 1;
      facts = {
        id: `sub_${name}_${number}`,
        customer: `cus_${name}_${number}`,
        status: 'active',
        price: 'price_standard',
        periodEnd: now() + 30 * day,
        metadata: { user_id: payer.id, plan: 'standard' },
      };
    });
    const tell = (type: string, more: Partial<SubscriptionFacts>, at: number, id?: string) =>
      deliver(stripeEvent(`customer.subscription.${type}`, subscription({ ...facts, ...more }), at, id));

    test('a plan starts with its payment, continues with its renewal, and ends with its cancellation', async () => {
      await tell('created', { status: 'incomplete' }, start);
      expect(await planOf(payer.client)).toEqual(noPlan);
      expect(await tell('updated', {}, start + 1)).toMatchObject({ status: 200, outcome: 'taken' });
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
      const renewed = facts.periodEnd + 30 * day;
      await tell('updated', { periodEnd: renewed }, start + 2);
      expect(await planOf(payer.client)).toEqual(paid('Standard', renewed));
      await tell('deleted', { status: 'canceled' }, start + 3);
      expect(await planOf(payer.client)).toEqual(noPlan);
    });

    test('late and repeated events change nothing', async () => {
      expect(await tell('updated', {}, start + 5, `evt_once_${name}`)).toMatchObject({ outcome: 'taken' });
      expect(await tell('created', { status: 'incomplete' }, start + 1)).toMatchObject({ outcome: 'stale' });
      expect(await planOf(payer.client)).toMatchObject({ subscribed: true });
      expect(await tell('deleted', { status: 'canceled' }, start + 9)).toMatchObject({ outcome: 'taken' });
      expect(await tell('updated', {}, start + 8)).toMatchObject({ outcome: 'stale' });
      expect(await tell('updated', {}, start + 99, `evt_once_${name}`)).toMatchObject({
        status: 200,
        outcome: 'repeated',
      });
      expect(await planOf(payer.client)).toEqual(noPlan);
    });

    test('for two events of the same second the current state is read from Stripe', async () => {
      stripe.subscriptions.set(facts.id, subscription(facts));
      const path = `/v1/subscriptions/${facts.id}`;
      await tell('updated', {}, start);
      expect(stripe.requests(path)).toHaveLength(0);
      expect(await tell('created', { status: 'incomplete' }, start)).toMatchObject({ outcome: 'taken' });
      expect(stripe.requests(path)).toHaveLength(1);
      expect(await planOf(payer.client)).toMatchObject({ subscribed: true });
    });

    test('an ended subscription never becomes active again, whatever events arrive', async () => {
      await tell('updated', {}, start);
      // Stripe does not know it, so the event counts.
      expect(await tell('deleted', { status: 'canceled' }, start)).toMatchObject({ outcome: 'taken' });
      expect(await planOf(payer.client)).toEqual(noPlan);
      for (const at of [start, start + 5]) {
        expect(await tell('updated', {}, at)).toMatchObject({ status: 200 });
        expect(await planOf(payer.client)).toEqual(noPlan);
      }
    });

    test('concurrent events end in the state at Stripe', async () => {
      stripe.subscriptions.set(facts.id, subscription(facts));
      const checkout = {
        object: 'checkout.session',
        customer: facts.customer,
        subscription: facts.id,
        client_reference_id: payer.id,
      };
      const invoice = { object: 'invoice', parent: { subscription_details: { subscription: facts.id } } };
      const answers = await Promise.all([
        deliver(stripeEvent('invoice.paid', invoice, start)),
        tell('created', { status: 'incomplete' }, start),
        deliver(stripeEvent('checkout.session.completed', checkout, start)),
        tell('updated', {}, start),
        deliver(stripeEvent('invoice.payment_succeeded', { ...invoice }, start)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
    });

    test('completed checkouts and invoices update their subscription', async () => {
      const { metadata: _none, ...bare } = facts;
      stripe.subscriptions.set(facts.id, subscription(bare));
      const invoice = { object: 'invoice', subscription: facts.id };
      // The customer is not known yet.
      expect(await deliver(stripeEvent('invoice.paid', invoice, start))).toMatchObject({
        status: 200,
        outcome: 'unknown_customer',
      });
      const session = {
        object: 'checkout.session',
        customer: { id: facts.customer, object: 'customer' },
        subscription: facts.id,
        client_reference_id: payer.id,
      };
      await deliver(stripeEvent('checkout.session.completed', session, start + 1));
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
      stripe.subscriptions.set(facts.id, subscription({ ...bare, status: 'unpaid' }));
      await deliver(stripeEvent('invoice.payment_failed', invoice, start + 2));
      expect(await planOf(payer.client)).toEqual(noPlan);
    });

    test('while Stripe is unavailable, events are refused so that they are delivered again', async () => {
      stripe.subscriptions.set(facts.id, subscription(facts));
      const event = stripeEvent('invoice.paid', { object: 'invoice', subscription: facts.id }, start);
      stripe.failure = { status: 500, body: { error: { type: 'api_error' } } };
      expect((await deliver(event)).status).toBeGreaterThanOrEqual(500);
      stripe.failure = undefined;
      expect(await deliver(event)).toMatchObject({ status: 200, outcome: 'taken' });
      expect(await planOf(payer.client)).toMatchObject({ subscribed: true });
    });

    test.each<[string, Partial<SubscriptionFacts>, boolean]>([
      ['on trial', { status: 'trialing' }, true],
      ['with a card that failed yesterday', { status: 'past_due', periodStart: now() - day }, true],
      ['with a card that failed for a week', { status: 'past_due', periodStart: now() - 9 * day }, false],
      ['that was never paid', { status: 'incomplete_expired' }, false],
      ['that is paused', { status: 'paused' }, false],
      ['in an unknown status', { status: 'dreaming' }, false],
      ['whose renewal is an hour late', { periodEnd: now() - 3600 }, true],
      ['whose renewal is two days late', { periodEnd: now() - 2 * day }, false],
      ['at a former price', { price: 'price_of_2025', metadata: {} }, true],
      ['at a price of something else', { price: 'price_of_tea', metadata: {} }, false],
    ])('a subscription %s gives the plan of its status', async (_case, more, subscribed) => {
      await database.pool.query(
        'insert into cellfolio.payment_customers (owner_id, customer_id) values ($1, $2)',
        [payer.id, facts.customer],
      );
      await tell('updated', more, start);
      expect(await planOf(payer.client)).toMatchObject({ subscribed });
    });

    test('events of older versions of the API are supported', async () => {
      await deliver(stripeEvent('customer.subscription.updated', olderSubscription(facts), start));
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
    });

    test('payment does not change the plan of the operator, and the better plan counts', async () => {
      await setPlan(database, payer.email, 'Professional');
      await tell('updated', {}, start);
      expect(await planOf(payer.client)).toEqual(paid('Professional', null));
      await setPlan(database, payer.email, null);
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
      await setPlan(database, payer.email, 'Standard');
      await tell('deleted', { status: 'canceled' }, start + 1);
      expect(await planOf(payer.client)).toEqual(paid('Standard', null));
    });

    test('when one of two subscriptions ends, the other stays', async () => {
      await tell('updated', {}, start);
      const other = { id: `${facts.id}_b`, periodEnd: facts.periodEnd + day };
      await tell('updated', other, start);
      await tell('deleted', { ...other, status: 'canceled' }, start + 1);
      expect(await planOf(payer.client)).toEqual(paid('Standard', facts.periodEnd));
    });

    test.each([
      ['', {}],
      [', also while word of the renewal is awaited,', { periodEnd: now() - 3600 }],
    ])('a paying user%s gets the portal instead of a second checkout', async (_case, more) => {
      await tell('updated', more, start);
      const before = stripe.requests('/v1/checkout/sessions').length;
      const { data } = await payer.client.functions.invoke('create-checkout', { body: { plan: 'standard' } });
      expect(data).toEqual({ url: expect.stringMatching(/^https:\/\/billing\.stripe\.com\//) });
      expect(stripe.requests('/v1/checkout/sessions')).toHaveLength(before);
    });

    test('events of unknown customers are recorded and change nothing', async () => {
      const metadata = { user_id: crypto.randomUUID() };
      expect(await tell('updated', { metadata }, start)).toMatchObject({
        status: 200,
        outcome: 'unknown_customer',
      });
      for (const user_id of ["x' or true --", '', '__proto__']) {
        expect(await tell('updated', { metadata: { user_id } }, start)).toMatchObject({ status: 200 });
      }
      expect(await deliver(stripeEvent('charge.refunded', { id: 'ch_1' }, start))).toMatchObject({
        outcome: 'ignored',
      });
      expect(await deliver(stripeEvent('customer.subscription.updated', { id: 5 }, start))).toMatchObject({
        status: 200,
        outcome: 'ignored',
      });
    });

    test('events require a fresh signature of Stripe over the exact bytes', async () => {
      const event = stripeEvent('customer.subscription.updated', subscription(facts), start);
      const body = JSON.stringify(event);
      const signed = signatureOf(body);
      for (const [payload, signature] of [
        [body, undefined],
        [body, ''],
        [body, 't=1,v1=00'],
        [body, signatureOf(body, 'whsec_of_somebody')],
        [body, signatureOf(body, stripeKeys.webhookSecret, now() - 3600)],
        [`${body} `, signed],
        [body.replace('price_standard', 'price_standerd'), signed],
        ['', signed],
      ] as const) {
        expect((await post(payload, signature)).status).toBe(400);
      }
      for (const nonsense of ['[]', '"x"', 'null', '{}', '{"id":"evt_x"']) {
        expect((await post(nonsense, signatureOf(nonsense))).status).toBe(400);
      }
      expect(await planOf(payer.client)).toEqual(noPlan);
      expect((await post(body, signed)).status).toBe(200);
      expect(await planOf(payer.client)).toMatchObject({ subscribed: true });
    });

    test('only the server writes plans and reads payment records', async () => {
      const { error } = await payer.client
        .from('subscriptions')
        .insert({ user_id: payer.id, source: 'stripe', tier: 'Professional' } as never);
      expect(error).toMatchObject({ code: '42501' });
      await tell('updated', {}, start);
      const own = await payer.client.from('subscriptions').select('tier, source');
      expect(own.data).toEqual([{ tier: 'Standard', source: 'stripe' }]);
      const update = await payer.client
        .from('subscriptions')
        .update({ tier: 'Professional' } as never)
        .eq('user_id', payer.id);
      expect(update.error).toMatchObject({ code: '42501' });
      for (const table of ['payment_customers', 'payment_subscriptions', 'payment_events']) {
        expect((await payer.client.from(table).select()).error).toBeTruthy();
      }
    });
  });

  test('ended sessions, bans and pending second steps have errors of their own', async () => {
    const { client, id } = await signUp();
    const { data } = await client.auth.getSession();
    const headers = {
      apikey: server.keys.publishableKey,
      authorization: `Bearer ${data.session!.access_token}`,
    };
    const call = async (path: string) => {
      const answer = await fetch(`${server.url}/functions/v1/${path}`, { method: 'POST', headers });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    await database.pool.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x', now(), now())`,
      [id],
    );
    expect(await call('customer-portal')).toEqual([403, 'insufficient_aal']);
    expect(await call('check-subscription')).toEqual([200, undefined]);
    await database.pool.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
      id,
    ]);
    expect(await call('check-subscription')).toEqual([403, 'user_banned']);
    await database.pool.query('update auth.users set banned_until = null where id = $1', [id]);
    await client.auth.signOut();
    expect(await call('check-subscription')).toEqual([401, 'session_not_found']);
    headers.authorization = 'Bearer a.b.c';
    expect(await call('check-subscription')).toEqual([401, 'bad_jwt']);
    headers.apikey = 'sb_publishable_other';
    expect(await call('check-subscription')).toEqual([401, 'invalid_api_key']);
  });

  test('pages on other origins may call', async () => {
    const answer = await fetch(`${server.url}/functions/v1/create-checkout`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'apikey,x-region' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-region');
  });

  test('missing payments, mailbox or functions have errors of their own', async () => {
    const bare = await startPlatform(database, {}, { functions: productFunctions({ trialDays: 7 }) });
    const none = await startPlatform(database);
    try {
      const client = clientVersions[0]!.make(bare.url, bare.keys.publishableKey);
      await client.auth.signUp({ email: `bare@example.org`, password });
      for (const [path, body] of [
        ['create-checkout', { plan: 'standard' }],
        ['customer-portal', undefined],
      ] as const) {
        const { error } = await client.functions.invoke(path, body && { body });
        expect(await refusal(error)).toMatchObject({ status: 503, code: 'payments_not_configured' });
      }
      const message = { name: 'Ada', email: 'a@example.org', message: 'Hello' };
      const { error } = await client.functions.invoke('send-contact-email', { body: message });
      expect(await refusal(error)).toMatchObject({ status: 503, code: 'mail_not_configured' });
      const pages = await fetch(`${bare.url}/functions/v1/test-checkout?token=x`);
      expect(pages.status).toBe(404);
      const without = clientVersions[0]!.make(none.url, none.keys.publishableKey);
      const answer = await without.functions.invoke('check-subscription');
      expect(await refusal(answer.error)).toMatchObject({ status: 404, code: 'feature_disabled' });
    } finally {
      await bare.close();
      await none.close();
    }
  });
});
