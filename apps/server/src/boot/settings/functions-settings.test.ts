import { describe, expect, test } from 'vitest';
import { readFunctions } from './functions-settings.ts';

const here = { demo: false, trialDays: 7, mailFrom: 'Cellfolio <no-reply@example.org>' };
const read = (environment: Record<string, string>, more: object = {}) =>
  readFunctions(environment, { ...here, ...more });
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_STANDARD: 'price_new, price_old',
};

test('by default nothing can be bought, figures are summarised, and contact messages go to the sender of mails', () => {
  const settings = read({});
  expect(settings).toMatchObject({
    trialDays: 7,
    contactEmail: 'no-reply@example.org',
  });
  expect(settings).not.toHaveProperty('payments');
  expect(settings).not.toHaveProperty('model');
});

test('a demo sells on a test page, unless Stripe is configured', () => {
  expect(read({}, { demo: true }).payments).toEqual({ kind: 'test' });
  expect(read(stripe, { demo: true }).payments).toMatchObject({ kind: 'stripe' });
});

test('Stripe requires its key, its secret and prices', () => {
  expect(read(stripe).payments).toEqual({
    kind: 'stripe',
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    prices: { standard: ['price_new', 'price_old'], professional: [] },
  });
});

test('a model requires provider, name and key; an own one an address', () => {
  const openai = { AI_PROVIDER: 'openai', AI_MODEL: 'looker', AI_API_KEY: 'k' };
  expect(read(openai).model).toEqual({
    provider: 'openai',
    model: 'looker',
    apiKey: 'k',
  });
  const own = {
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: 'llava',
    AI_BASE_URL: 'http://127.0.0.1:11434/v1/',
  };
  expect(read(own).model).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1' });
  expect(read({ ...own, AI_PRICE: '0.15 2 EUR' }).model).toMatchObject({
    price: { input: 0.15, output: 2, currency: 'EUR' },
  });
});

describe('an invalid value stops the start with its name in one line', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ STRIPE_SECRET_KEY: 'sk_1' }, /^STRIPE_WEBHOOK_SECRET: is required/],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, /^STRIPE_SECRET_KEY: is required/],
    [{ STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, /^STRIPE_PRICE_STANDARD: is required/],
    [{ ...stripe, STRIPE_PRICE_STANDARD: '300 USD' }, /^STRIPE_PRICE_STANDARD: must be price ids/],
    [{ AI_MODEL: 'looker' }, /^AI_PROVIDER: /],
    [{ AI_PROVIDER: 'skynet', AI_MODEL: 'x' }, /^AI_PROVIDER: /],
    [{ AI_PROVIDER: 'openai', AI_API_KEY: 'k' }, /^AI_MODEL: is required/],
    [{ AI_PROVIDER: 'anthropic', AI_MODEL: 'm' }, /^AI_API_KEY: is required/],
    [{ AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm' }, /^AI_BASE_URL: is required/],
    [{ AI_PRICE: '3' }, /^AI_PRICE: must be two numbers and a currency/],
    [{ AI_PRICE: '3 15 USD' }, /^AI_PROVIDER: is required/],
    [{ CONTACT_EMAIL: 'a@b.org, c@d.org' }, /^CONTACT_EMAIL: must be one address/],
  ])('%o', (environment, message) => {
    expect(() => read(environment)).toThrow(message);
    expect(() => read(environment)).toThrow(expect.objectContaining({ name: 'InvalidSettings' }));
  });

  test('a sender without a single address cannot receive contact messages', () => {
    expect(() => read({}, { mailFrom: 'Cellfolio' })).toThrow(/^CONTACT_EMAIL: is required/);
    expect(read({}, { mailFrom: 'desk@example.org' }).contactEmail).toBe('desk@example.org');
  });
});
