import type { FunctionsSettingsInput } from '@cellfolio/platform';
import { z } from 'zod';
import { InvalidSettings } from './invalid-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const web = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const perHour = z.coerce.number().int().positive();
const mailbox = z.email({ pattern: z.regexes.html5Email, error: 'must be one address such as a@b.org' });
/** `price_new,price_old`: the first is sold. */
const prices = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.string().regex(/^[\w-]{1,255}$/, 'must be price ids, separated by commas')).max(50));

const schema = z.object({
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PRICE_STANDARD: prices.optional(),
  STRIPE_PRICE_PROFESSIONAL: prices.optional(),
  STRIPE_API_URL: web.optional(),
  AI_ANALYSIS: flag.optional(),
  AI_PROVIDER: z.enum(['openai', 'anthropic', 'google', 'openai-compatible']).optional(),
  AI_MODEL: z.string().max(200).optional(),
  AI_API_KEY: z.string().optional(),
  AI_BASE_URL: web.optional(),
  AI_TIMEOUT_SECONDS: z.coerce.number().int().positive().max(600).optional(),
  AI_ANALYSES_PER_HOUR: perHour.optional(),
  CONTACT_EMAIL: mailbox.optional(),
  CONTACT_MAILS_PER_HOUR: perHour.optional(),
});
type Given = z.output<typeof schema>;

export const functionsSettingNames: readonly string[] = Object.keys(schema.shape);

export interface FunctionsSurroundings {
  /** A demonstration on this very machine: plans may be had on a test page. */
  readonly demo: boolean;
  readonly trialDays: number;
  /** Messages go there where no other mailbox is named. */
  readonly mailFrom: string;
}

/** Payment, mail to the operator and analyses of figures. Throws InvalidSettings. */
export function readFunctions(
  environment: Environment,
  { demo, trialDays, mailFrom }: FunctionsSurroundings,
): FunctionsSettingsInput {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw InvalidSettings.of(parsed.error);
  const env = parsed.data;
  const payments = readStripe(env) ?? (demo ? ({ kind: 'test' } as const) : undefined);
  const model = readModel(env);
  return {
    trialDays,
    contactEmail: env.CONTACT_EMAIL ?? addressOf(mailFrom),
    ...(payments && { payments }),
    analysis: { enabled: env.AI_ANALYSIS, ...(model && { model }) },
    limits: { contactPerHour: env.CONTACT_MAILS_PER_HOUR, analysesPerUser: env.AI_ANALYSES_PER_HOUR },
  };
}

function readStripe(env: Given): Extract<FunctionsSettingsInput['payments'], { kind: 'stripe' }> | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const standard = env.STRIPE_PRICE_STANDARD;
  const any = secretKey ?? webhookSecret ?? standard ?? env.STRIPE_PRICE_PROFESSIONAL;
  if (any === undefined) return undefined;
  return {
    kind: 'stripe',
    secretKey: needed('STRIPE_SECRET_KEY', secretKey, 'payment by Stripe needs it'),
    webhookSecret: needed('STRIPE_WEBHOOK_SECRET', webhookSecret, 'without it nothing tells who has paid'),
    prices: {
      standard: needed('STRIPE_PRICE_STANDARD', standard, 'payment by Stripe needs the price of the plan'),
      professional: env.STRIPE_PRICE_PROFESSIONAL ?? [],
    },
    ...(env.STRIPE_API_URL && { apiUrl: env.STRIPE_API_URL }),
  };
}

function readModel(env: Given): NonNullable<FunctionsSettingsInput['analysis']>['model'] {
  const { AI_PROVIDER: provider, AI_API_KEY: apiKey, AI_BASE_URL: baseUrl } = env;
  if (provider === undefined) {
    if ((env.AI_MODEL ?? apiKey ?? baseUrl) === undefined) return undefined;
    throw new InvalidSettings(
      'AI_PROVIDER: AI_MODEL, AI_API_KEY and AI_BASE_URL say nothing without it; set openai, anthropic, google or openai-compatible',
    );
  }
  const model = needed('AI_MODEL', env.AI_MODEL, `${provider} needs the name of a model that takes images`);
  if (provider === 'openai-compatible') needed('AI_BASE_URL', baseUrl, `${provider} is known by its address`);
  else needed('AI_API_KEY', apiKey, `${provider} needs it`);
  return {
    provider,
    model,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    timeoutSeconds: env.AI_TIMEOUT_SECONDS,
  };
}

function needed<T>(name: string, value: T | undefined, why: string): T {
  if (value === undefined) throw new InvalidSettings(`${name}: not set, and ${why}`);
  return value;
}

/** Of `Cellfolio <no-reply@example.org>` the part between the brackets. */
function addressOf(mailFrom: string): string {
  const address = (/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim();
  if (mailbox.safeParse(address).success) return address;
  throw new InvalidSettings('CONTACT_EMAIL: not set, and MAIL_FROM names no single address to use instead');
}
