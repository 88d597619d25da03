import { createHash, randomBytes } from 'node:crypto';
import { bytesOf, escapeHtml, FunctionError, type SignedInUser } from '@cellfolio/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Owner, userOfOwner } from '../../runtime/owners.ts';
import type { FunctionsContext } from '../../runtime/functions/functions-context.ts';
import type { Payments, Plan } from './payment-provider.ts';
import { type Subscription, subscriptionOf } from './subscription.ts';

interface TestPage {
  title: string;
  lines: readonly string[];
  action?: { token: string; label: string };
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center;background:#f6f7f8;color:#1a1c1e}
main{background:#fff;border:1px solid #d9dce0;border-radius:12px;padding:32px;max-width:28rem;box-sizing:border-box}
h1{font-size:1.375rem;margin:16px 0 8px}
p{margin:8px 0;overflow-wrap:anywhere}
.mark{display:inline-block;background:#fdf0c8;color:#5c4400;border-radius:6px;padding:4px 12px;font-weight:600}
button{font:inherit;font-weight:600;margin-top:16px;padding:12px 24px;border:0;border-radius:8px;background:#1f5fbf;color:#fff;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid #7fb0ff;outline-offset:2px}
a{color:#1f5fbf}
@media (prefers-color-scheme:dark){
body{background:#111315;color:#e8eaed}main{background:#1a1d20;border-color:#33383d}a{color:#8ab4f8}
}`;

/** Nothing is loaded or executed; the only form submits to the page itself. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  // The address holds the token.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A page that cannot be mistaken for a real payment; all external text is escaped. */
function testPage({ title, lines, action }: TestPage, accountUrl: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)} (test mode)</title><style>${style}</style></head><body><main>`,
    '<p class="mark">Test mode: no money is taken</p>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(action
      ? [
          '<form method="post">',
          `<input type="hidden" name="token" value="${escapeHtml(action.token)}">`,
          `<button>${escapeHtml(action.label)}</button></form>`,
        ]
      : []),
    `<p><a href="${escapeHtml(accountUrl)}">Back to your account</a></p>`,
    '</main></body></html>',
  ].join('\n');
}

type Purpose = 'checkout' | 'portal';

const linkMinutes = 30;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Pages in place of a payment provider, for a demonstration on the operator's own machine: they say that they are a
 * test, take no money and grant the Standard plan for a month. A link is bound to its owner and works once.
 */
export class TestPayments implements Payments {
  readonly #context: FunctionsContext;

  constructor(context: FunctionsContext) {
    this.#context = context;
  }

  async checkout(user: SignedInUser, plan: Plan, request: FastifyRequest): Promise<string> {
    if (plan !== 'standard') {
      throw new FunctionError(
        400,
        'plan_not_available',
        'The Professional plan is Coming Soon and cannot be bought yet.',
      );
    }
    return this.#link(user, 'checkout', request);
  }

  async portal(user: SignedInUser, request: FastifyRequest): Promise<string> {
    return this.#link(user, 'portal', request);
  }

  routes(app: FastifyInstance): void {
    for (const purpose of ['checkout', 'portal'] as const) {
      const path = `/test-${purpose}`;
      app.get(path, { config: { open: true } }, (request, reply) => this.#show(purpose, request, reply));
      app.post(path, { config: { open: true }, bodyLimit: 4096 }, (request, reply) =>
        this.#confirm(purpose, request, reply),
      );
    }
  }

  async #link(user: SignedInUser, purpose: Purpose, request: FastifyRequest): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const { pool } = this.#context.database;
    await pool.query('delete from cellfolio.test_payment_links where expires_at < now()');
    await pool.query(
      `insert into cellfolio.test_payment_links (token_hash, owner_id, purpose, expires_at)
       values ($1, $2, $3, now() + make_interval(mins => $4))`,
      [digest(token), user.id, purpose, linkMinutes],
    );
    // Whoever opened the site as localhost stays on localhost; any other name in the header is not followed.
    const { publicUrl } = this.#context;
    const base = loopback.test(request.host) ? `${request.protocol}://${request.host}` : publicUrl;
    const path = new URL(request.url, 'http://here').pathname.replace(/[^/]*$/, '');
    return `${base}${path}test-${purpose}?token=${token}`;
  }

  async #show(purpose: Purpose, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.query as { token?: unknown };
    const owner = await this.#ownerOf(token, purpose, 'select owner_id from cellfolio.test_payment_links');
    if (owner === undefined || typeof token !== 'string') return this.#send(reply, 410, linkIsOver);
    const subscription = await this.#subscription(owner);
    const { email, bought } = await this.#account(owner);
    return this.#send(reply, 200, pageOf(purpose, { email, bought, token, subscription }));
  }

  async #confirm(purpose: Purpose, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = new URLSearchParams(bytesOf(request).toString('utf8')).get('token');
    const owner = await this.#ownerOf(token, purpose, 'delete from cellfolio.test_payment_links');
    if (owner === undefined) return this.#send(reply, 410, linkIsOver);
    const { pool } = this.#context.database;
    if (purpose === 'checkout') {
      await pool.query(
        `insert into public.subscriptions (user_id, source, tier, until)
         values ($1, 'test', 'Standard', now() + interval '1 month')
         on conflict (user_id, source) do update set tier = excluded.tier, until = excluded.until`,
        [owner],
      );
    } else {
      await pool.query(`delete from public.subscriptions where user_id = $1 and source = 'test'`, [owner]);
    }
    const subscription = await this.#subscription(owner);
    return this.#send(reply, 200, {
      title: purpose === 'checkout' ? 'You have the Standard plan' : 'The test plan has ended',
      lines: [planLine(subscription), 'You can close this page, or go back to your account.'],
    });
  }

  /** The owner that pays by a valid link; `statement` reads the link or uses it up. */
  async #ownerOf(token: unknown, purpose: Purpose, statement: string): Promise<Owner | undefined> {
    if (typeof token !== 'string' || token.length > 100) return undefined;
    const returning = statement.startsWith('delete') ? 'returning owner_id' : '';
    const { rows } = await this.#context.database.pool.query<{ owner_id: Owner }>(
      `${statement} where token_hash = $1 and purpose = $2 and expires_at > now() ${returning}`,
      [digest(token), purpose],
    );
    return rows[0]?.owner_id;
  }

  async #subscription(owner: Owner): Promise<Subscription | undefined> {
    const { database, settings, now } = this.#context;
    return subscriptionOf(database, owner, { trialDays: settings.trialDays, now: new Date(now()) });
  }

  /** E-mail of the account, and whether it has a plan from the test checkout. */
  async #account(owner: Owner): Promise<{ email: string; bought: boolean }> {
    const { rows } = await this.#context.database.pool.query<{ email: string | null; bought: boolean }>(
      `select email, exists (
         select from public.subscriptions where user_id = $1 and source = 'test' and tier is not null
       ) as bought
       from auth.users where id = $2`,
      [owner, userOfOwner(owner)],
    );
    return { email: rows[0]?.email ?? '', bought: rows[0]?.bought ?? false };
  }

  #send(reply: FastifyReply, status: number, page: TestPage): FastifyReply {
    // On the host that the page was opened on: whoever came as localhost is not signed in at 127.0.0.1.
    const site = new URL(this.#context.siteUrl).pathname.replace(/\/+$/, '');
    return reply
      .code(status)
      .headers(pageHeaders)
      .send(testPage(page, `${site}/account`));
  }
}

const linkIsOver: TestPage = {
  title: 'This link has expired',
  lines: ['Each link works once, within half an hour. Go back to your account and start again.'],
};

interface Shown {
  email: string;
  bought: boolean;
  token: string;
  subscription: Subscription | undefined;
}

function pageOf(purpose: Purpose, { email, bought, token, subscription }: Shown): TestPage {
  const account = `Account: ${email}`;
  if (purpose === 'checkout') {
    return {
      title: 'Standard plan, one month',
      lines: [account, planLine(subscription), 'No card is asked for and nothing is charged.'],
      action: { token, label: 'Confirm test payment of $0' },
    };
  }
  if (!bought) {
    const lines = [account, planLine(subscription), 'No plan was bought on a test page: nothing to cancel.'];
    return { title: 'Your plan', lines };
  }
  return {
    title: 'Your plan',
    lines: [account, planLine(subscription), 'Canceling ends the plan of the test checkout at once.'],
    action: { token, label: 'Cancel the test plan' },
  };
}

function planLine(subscription: Subscription | undefined): string {
  if (!subscription?.subscribed) return 'Plan: none (free trial).';
  const until = subscription.until && ` until ${subscription.until.toISOString().slice(0, 10)}`;
  return `Plan: ${subscription.tier}${until ?? ', without end'}.`;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
