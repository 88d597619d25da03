import { type FunctionsSettingsInput, modelProviders } from '../../runtime/functions/functions-settings.ts';
import { z } from 'zod';
import { baseAddress, type Environment, InvalidSettings, required } from './setting-types.ts';

const mailbox = z.email({ pattern: z.regexes.html5Email, error: 'must be one address such as a@b.org' });
/** `price_new,price_old`: only the first is sold. */
const prices = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.string().regex(/^[\w-]{1,255}$/, 'must be price ids, separated by commas')).max(50));
/** `3 15 USD`: money for a million tokens that a model reads, and for a million that it writes. */
const modelPrice = z
  .string()
  .regex(
    /^\d+(?:\.\d+)? \d+(?:\.\d+)? [A-Z]{3}$/,
    'must be two numbers and a currency, such as 3 15 USD: for a million tokens read, and written',
  )
  .transform((text) => {
    const [input, output, currency] = text.split(' ');
    return { input: Number(input), output: Number(output), currency: currency! };
  });

const schema = z.object({
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PRICE_STANDARD: prices.optional(),
  STRIPE_PRICE_PROFESSIONAL: prices.optional(),
  AI_PROVIDER: z.enum(modelProviders).optional(),
  AI_MODEL: z.string().max(200).optional(),
  AI_API_KEY: z.string().optional(),
  AI_BASE_URL: baseAddress.optional(),
  AI_PRICE: modelPrice.optional(),
  CONTACT_EMAIL: mailbox.optional(),
});
type Env = z.output<typeof schema>;

export const functionsSettingNames: readonly string[] = Object.keys(schema.shape);

interface FunctionsContext {
  /** A demonstration on loopback: plans are sold on a test page. */
  demo: boolean;
  trialDays: number;
  /** Receives contact messages unless CONTACT_EMAIL is set. */
  mailFrom: string;
}

/** Reads payments, contact mail and figure analysis; empty settings are already removed. Throws InvalidSettings. */
export function readFunctions(
  environment: Environment,
  { demo, trialDays, mailFrom }: FunctionsContext,
): FunctionsSettingsInput {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw InvalidSettings.of(parsed.error);
  const env = parsed.data;
  const payments = readStripe(env) ?? (demo ? ({ kind: 'test' } as const) : undefined);
  const model = readModel(env);
  return {
    trialDays,
    contactEmail: env.CONTACT_EMAIL ?? addressOf(mailFrom),
    ...(payments && { payments }),
    ...(model && { model }),
  };
}

function readStripe(env: Env): Extract<FunctionsSettingsInput['payments'], { kind: 'stripe' }> | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const standardPrice = env.STRIPE_PRICE_STANDARD;
  const any = secretKey ?? webhookSecret ?? standardPrice ?? env.STRIPE_PRICE_PROFESSIONAL;
  if (any === undefined) return undefined;
  return {
    kind: 'stripe',
    secretKey: required('STRIPE_SECRET_KEY', secretKey, 'for payment by Stripe'),
    webhookSecret: required('STRIPE_WEBHOOK_SECRET', webhookSecret, 'to verify notifications of payments'),
    prices: {
      standard: required('STRIPE_PRICE_STANDARD', standardPrice, 'for payment by Stripe'),
      professional: env.STRIPE_PRICE_PROFESSIONAL ?? [],
    },
  };
}

function readModel(env: Env): FunctionsSettingsInput['model'] {
  const { AI_PROVIDER: provider, AI_API_KEY: apiKey, AI_BASE_URL: baseUrl } = env;
  if (provider === undefined) {
    if ((env.AI_MODEL ?? apiKey ?? baseUrl ?? env.AI_PRICE) === undefined) return undefined;
    throw new InvalidSettings(
      'AI_PROVIDER: is required with AI_MODEL, AI_API_KEY, AI_BASE_URL or AI_PRICE; set openai, anthropic, google or openai-compatible',
    );
  }
  const model = required('AI_MODEL', env.AI_MODEL, `for ${provider}; name a model that accepts images`);
  if (provider === 'openai-compatible') required('AI_BASE_URL', baseUrl, `for ${provider}`);
  else required('AI_API_KEY', apiKey, `for ${provider}`);
  return {
    provider,
    model,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(env.AI_PRICE && { price: env.AI_PRICE }),
  };
}

/** The part of `Cellfolio <no-reply@example.org>` between the brackets. */
function addressOf(mailFrom: string): string {
  const address = (/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim();
  if (mailbox.safeParse(address).success) return address;
  throw new InvalidSettings(
    'CONTACT_EMAIL: is required, as MAIL_FROM contains no single address to use instead',
  );
}
