import type { SignedInUser } from '@cellfolio/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tier } from './subscription.ts';

export const plans = ['standard', 'professional'] as const;
export type Plan = (typeof plans)[number];

export const tierOf: Readonly<Record<Plan, Tier>> = { standard: 'Standard', professional: 'Professional' };

/** A payment provider. */
export interface Payments {
  /** Address of a page where the user buys the plan. Throws FunctionError when that is not possible. */
  checkout(user: SignedInUser, plan: Plan, request: FastifyRequest): Promise<string>;
  /** Address of a page where the user views, pays and cancels purchases. Throws FunctionError. */
  portal(user: SignedInUser, request: FastifyRequest): Promise<string>;
  /** Mounts routes of its own, such as webhooks. */
  routes(app: FastifyInstance): void;
}
