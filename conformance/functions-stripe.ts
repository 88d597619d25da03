import { createHmac, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

export const stripeKeys = { secretKey: 'sk_test_conformance', webhookSecret: 'whsec_conformance' } as const;

interface Received {
  method: string;
  path: string;
  form: Readonly<Record<string, string>>;
  idempotencyKey: string | undefined;
  version: string | undefined;
}

export interface StripeServer {
  url: string;
  received: Received[];
  subscriptions: Map<string, object>;
  deleted: Set<string>;
  failure: { status: number; body: object } | undefined;
  requests(path: string): readonly Received[];
  close(): Promise<void>;
}

const refusal = (type: string, message: string, more: object = {}) => ({ error: { type, message, ...more } });

/** A server with the protocol of Stripe's official client: forms, JSON responses, idempotency keys and errors. */
export async function startStripe(): Promise<StripeServer> {
  const app = fastify();
  const answers = new Map<string, object>();
  let idCount = 0;
  const server: Omit<StripeServer, 'url' | 'close'> & { url: string; close: () => Promise<void> } = {
    url: '',
    received: [],
    subscriptions: new Map(),
    deleted: new Set(),
    failure: undefined,
    requests: (path) => server.received.filter((one) => one.path === path),
    close: () => app.close(),
  };
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    server.received.push({
      method: request.method,
      path: request.url.split('?')[0]!,
      form: (request.body ?? {}) as Record<string, string>,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      version: String(request.headers['stripe-version']),
    });
    if (request.headers.authorization !== `Bearer ${stripeKeys.secretKey}`) {
      return reply.code(401).send(refusal('invalid_request_error', 'Invalid API Key provided: sk_****'));
    }
    if (server.failure) return reply.code(server.failure.status).send(server.failure.body);
    return undefined;
  });
  const formOf = (body: unknown) => (body ?? {}) as Record<string, string>;
  app.post('/v1/customers', async (request) => {
    const key = String(request.headers['idempotency-key']);
    const { email = null } = formOf(request.body);
    const answer = answers.get(key) ?? {
      id: `cus_${(idCount += 1)}_${randomUUID()}`,
      object: 'customer',
      email,
    };
    answers.set(key, answer);
    return answer;
  });
  const missing = (customer: string | undefined) =>
    refusal('invalid_request_error', `No such customer: '${customer}'`, {
      code: 'resource_missing',
      param: 'customer',
    });
  app.post('/v1/checkout/sessions', async (request, reply) => {
    const { customer } = formOf(request.body);
    if (server.deleted.has(String(customer))) return reply.code(400).send(missing(customer));
    const id = `cs_test_${(idCount += 1)}`;
    return { id, object: 'checkout.session', url: `https://checkout.stripe.com/c/pay/${id}` };
  });
  app.post('/v1/billing_portal/sessions', async (request, reply) => {
    const { customer } = formOf(request.body);
    if (server.deleted.has(String(customer))) return reply.code(400).send(missing(customer));
    const id = `bps_${(idCount += 1)}`;
    return { id, object: 'billing_portal.session', url: `https://billing.stripe.com/p/session/${id}` };
  });
  app.get('/v1/subscriptions/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const subscription = server.subscriptions.get(id);
    if (subscription) return subscription;
    const code = { code: 'resource_missing', param: 'id' };
    return reply.code(404).send(refusal('invalid_request_error', `No such subscription: '${id}'`, code));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  server.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return server;
}

export interface SubscriptionFacts {
  id: string;
  customer: string;
  status: string;
  price: string;
  /** Seconds since 1970. */
  periodEnd: number;
  periodStart?: number;
  metadata?: Readonly<Record<string, string>>;
}

export function subscription({ price, periodStart, periodEnd, metadata = {}, ...rest }: SubscriptionFacts) {
  const period = {
    current_period_start: periodStart ?? periodEnd - 30 * 86_400,
    current_period_end: periodEnd,
  };
  return {
    object: 'subscription',
    ...rest,
    metadata,
    items: {
      object: 'list',
      data: [{ id: 'si_1', object: 'subscription_item', price: { id: price }, ...period }],
    },
  };
}

/** The subscription in versions of the API before 2025. */
export function olderSubscription(facts: SubscriptionFacts) {
  const { items, ...rest } = subscription(facts);
  const [{ current_period_start, current_period_end, ...item }] = items.data as [(typeof items.data)[number]];
  return { ...rest, current_period_start, current_period_end, items: { ...items, data: [item] } };
}

let events = 0;

/** @param created seconds since 1970 */
export function stripeEvent(type: string, object: object, created: number, id = `evt_${(events += 1)}`) {
  return { id, object: 'event', type, created, data: { object }, livemode: false };
}

export function signatureOf(
  body: string,
  secret: string = stripeKeys.webhookSecret,
  at: number = Math.floor(Date.now() / 1000),
): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}
