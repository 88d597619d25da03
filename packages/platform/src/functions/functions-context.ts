import type { FastifyBaseLogger } from 'fastify';
import type { Mailer } from '../auth/mailer.ts';
import type { TokenVerifier } from '../auth/tokens/access-token.ts';
import type { Database } from '../database/database.ts';
import type { CallerResolver } from '../auth/resolve-caller.ts';
import type { OwnFigures } from './analysis/own-figures.ts';
import type { FunctionLimits } from './function-limits.ts';
import type { FunctionsSettings } from './functions-settings.ts';

/** What the functions work with. */
export interface FunctionsContext {
  readonly database: Database;
  readonly settings: FunctionsSettings;
  /** Where the web app is; payment pages lead back here. */
  readonly siteUrl: string;
  /** Where the platform is reached, without `/functions/v1`. */
  readonly publicUrl: string;
  /** The name that mails show. */
  readonly siteName: string;
  readonly callers: CallerResolver;
  readonly verifier: TokenVerifier;
  readonly limits: FunctionLimits;
  readonly mailer: Mailer | undefined;
  readonly ownFigures: OwnFigures | undefined;
  /** Take a caller's address from the forwarding header that the Fastify instance trusts. */
  readonly trustProxy: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
}
