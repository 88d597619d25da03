import { z } from 'zod';
import { limits } from '../limits/limits.ts';

const priceIds = z
  .array(z.string().regex(/^[\w-]{1,255}$/, 'A price id has letters, digits, - and _ only.'))
  .max(50);

const stripe = z.object({
  kind: z.literal('stripe'),
  secretKey: z.string().min(1),
  /** Secret of the webhook endpoint at `<public url>/functions/v1/stripe-webhook`. */
  webhookSecret: z.string().min(1),
  /** The first price of each plan is sold; the others are former prices that existing customers still pay. */
  prices: z.object({ standard: priceIds.min(1), professional: priceIds.default([]) }),
  /** Default: Stripe's own. */
  apiUrl: z.url({ protocol: /^https?$/ }).optional(),
});

/** A test page that grants plans without payment, for demos. */
const testPayments = z.object({ kind: z.literal('test') });

export const modelProviders = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

export const modelSettings = z
  .object({
    provider: z.enum(modelProviders),
    /** The provider's name of a model that accepts images. */
    model: z.string().min(1).max(200),
    apiKey: z.string().min(1).optional(),
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    timeoutSeconds: z.int().positive().max(600).default(60),
    /** Money for a million tokens; undefined: costs are shown as tokens. */
    price: z
      .object({
        input: z.number().nonnegative(),
        output: z.number().nonnegative(),
        currency: z.string().regex(/^[A-Z]{3}$/, 'A currency has three capital letters.'),
      })
      .optional(),
  })
  .refine(({ provider, baseUrl }) => provider !== 'openai-compatible' || baseUrl !== undefined, {
    path: ['baseUrl'],
    message: 'An openai-compatible provider requires its address.',
  });

const upTo = (limit: { value: number }) => z.int().positive().default(limit.value);
const limitNumbers = z.object({
  contactPerNetwork: upTo(limits.contactMailsOfNetwork),
  contactPerHour: upTo(limits.contactMails),
  paymentsPerUser: upTo(limits.payments),
  analysesPerUser: upTo(limits.imageAnalyses),
  analysesAtOnce: upTo(limits.imageAnalysesAtOnce),
});

export const functionsSettings = z.object({
  /** Length of the free trial in days of 24 hours. */
  trialDays: z.number().positive(),
  /** Receives messages of the contact page; without it the function responds that it is not set up. */
  contactEmail: z.email({ pattern: z.regexes.html5Email }).optional(),
  /** Undefined: plans cannot be bought. */
  payments: z.discriminatedUnion('kind', [stripe, testPayments]).optional(),
  /** Analyses figures; undefined: the analysis is a summary computed from the numbers of the figure. */
  model: modelSettings.optional(),
  limits: limitNumbers.prefault({}),
});

export type FunctionsSettings = z.output<typeof functionsSettings>;
export type FunctionsSettingsInput = z.input<typeof functionsSettings>;
export type StripeSettings = z.output<typeof stripe>;
export type ModelSettings = z.output<typeof modelSettings>;
export type FunctionLimitNumbers = z.output<typeof limitNumbers>;
