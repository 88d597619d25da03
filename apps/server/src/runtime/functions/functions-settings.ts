import { z } from 'zod';

const priceIds = z
  .array(z.string().regex(/^[\w-]{1,255}$/, 'A price id has letters, digits, - and _ only.'))
  .max(50);

/** Stripe Checkout and customer portal. */
const stripe = z.object({
  kind: z.literal('stripe'),
  secretKey: z.string().min(1),
  /** Of the webhook endpoint at `<public url>/functions/v1/stripe-webhook`. */
  webhookSecret: z.string().min(1),
  /**
   * Prices of each plan. The first is sold; the others are those of former customers and still give the plan. A plan
   * without a price cannot be bought.
   */
  prices: z.object({ standard: priceIds.min(1), professional: priceIds.default([]) }),
  /** Other than Stripe's own, for tests and proxies. */
  apiUrl: z.url({ protocol: /^https?$/ }).optional(),
});

/** Pages of our own that grant plans for nothing: for demonstrations on the operator's own machine. */
const testPayments = z.object({ kind: z.literal('test') });

export const modelProviders = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

const model = z
  .object({
    provider: z.enum(modelProviders),
    /** Name of the model as the provider has it; it must take images. */
    model: z.string().min(1).max(200),
    apiKey: z.string().min(1).optional(),
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    timeoutSeconds: z.int().positive().max(600).default(60),
  })
  .refine(({ provider, baseUrl }) => provider !== 'openai-compatible' || baseUrl !== undefined, {
    path: ['baseUrl'],
    message: 'An openai-compatible provider is known by its address alone.',
  });

const limits = z.object({
  /** Contact mails per network and hour. */
  contactPerNetwork: z.int().positive().default(5),
  /** Contact mails of the whole installation per hour. */
  contactPerHour: z.int().positive().default(60),
  /** Checkouts and portals opened per user and hour. */
  paymentsPerUser: z.int().positive().default(60),
  /** Images analysed per user and hour. */
  analysesPerUser: z.int().positive().default(60),
  /** Images of one user analysed at the same time. */
  analysesAtOnce: z.int().positive().default(2),
});

/** Everything about the functions that an operator may choose. */
export const functionsSettings = z.object({
  /** Days of the free trial, 24 hours each. */
  trialDays: z.number().positive(),
  /** Where messages from the contact page go; without it that function says that it is not set up. */
  contactEmail: z.email({ pattern: z.regexes.html5Email }).optional(),
  /** Absent: plans cannot be bought. */
  payments: z.discriminatedUnion('kind', [stripe, testPayments]).optional(),
  analysis: z
    .object({
      enabled: z.boolean().default(true),
      /** Absent: an answer is a summary computed from the numbers of the figure. */
      model: model.optional(),
    })
    .prefault({}),
  limits: limits.prefault({}),
});

export type FunctionsSettings = z.output<typeof functionsSettings>;
export type FunctionsSettingsInput = z.input<typeof functionsSettings>;
export type StripeSettings = z.output<typeof stripe>;
export type ModelSettings = z.output<typeof model>;
export type FunctionLimitNumbers = z.output<typeof limits>;
