import { bearerToken, isSameKey, looksLikeApiKey } from '@cellfolio/platform';
import { ApiFailure } from '../api-failure.ts';

/** What a route asks of its caller. A route that says nothing asks for the most. */
export type Access =
  /** Anybody, without a key. */
  | 'public'
  /** The API key alone: the public catalogue. */
  | 'key'
  /** Key and a signed-in user, or a user's personal key. */
  | 'member'
  /** Key and a signed-in user whose trial has not ended or who has a plan. */
  | 'explorer'
  /** Key and a signed-in user who operates the server. */
  | 'operator';

export interface Member {
  readonly userId: string;
}

/** The part of the platform that access is decided with. */
export interface Accounts {
  /** The user of a valid access token, or undefined for a token that is expired, forged or signed out. */
  userOf(token: string): Promise<Member | undefined>;
  /** The user of a personal API key, or undefined for one that is unknown or revoked. */
  ownerOf(apiKey: string): Promise<Member | undefined>;
  trialExpired(userId: string): Promise<boolean>;
  /** Whether the user operates this server. */
  isOperator(userId: string): Promise<boolean>;
}

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

/** Decides for every call of `/api` who is calling and whether they may. */
export class AccessPolicy {
  readonly #keys: readonly string[];
  readonly #accounts: Accounts;

  /** @param keys the keys of the web app; they open the catalogue and, with a token beside them, the rest */
  constructor(keys: readonly string[], accounts: Accounts) {
    this.#keys = keys;
    this.#accounts = accounts;
  }

  /** The member who calls, where the route asks for one. Throws ApiFailure 401 or 403. */
  async admit(access: Exclude<Access, 'public' | 'key'>, credentials: Credentials): Promise<Member>;
  async admit(access: Access, credentials: Credentials): Promise<Member | undefined>;
  async admit(access: Access, { apiKey, authorization }: Credentials): Promise<Member | undefined> {
    if (access === 'public') return undefined;
    // A personal key stands for its user alone, whatever else is sent.
    const owner = apiKey && looksLikeApiKey(apiKey) ? await this.#owner(apiKey) : undefined;
    if (!owner) this.#checkKey(apiKey);
    if (access === 'key') return undefined;
    const member = owner ?? (await this.#member(authorization));
    if (access === 'explorer' && (await this.#accounts.trialExpired(member.userId))) {
      throw new ApiFailure(
        403,
        'trial_expired',
        'Your free trial has expired. Choose a plan to go on exploring.',
      );
    }
    if (access === 'operator' && !(await this.operates(member))) {
      throw new ApiFailure(
        403,
        'not_an_operator',
        'Only operators of this server may do this. An account is made one with: cellfolio user operator EMAIL.',
      );
    }
    return member;
  }

  /** Whether routes for operators admit the member. */
  operates({ userId }: Member): Promise<boolean> {
    return this.#accounts.isOperator(userId);
  }

  async #owner(apiKey: string): Promise<Member> {
    const owner = await this.#accounts.ownerOf(apiKey);
    if (!owner) throw invalidKey();
    return owner;
  }

  #checkKey(given: string | undefined): void {
    if (!given) throw new ApiFailure(401, 'missing_api_key', 'Send your API key in the header X-API-Key.');
    if (!this.#keys.some((known) => isSameKey(given, known))) throw invalidKey();
  }

  async #member(authorization: string | undefined): Promise<Member> {
    const token = bearerToken(authorization);
    if (!token) {
      throw new ApiFailure(
        401,
        'missing_token',
        'Sign in first: send your access token as Authorization: Bearer.',
      );
    }
    const member = await this.#accounts.userOf(token);
    if (!member) {
      throw new ApiFailure(
        401,
        'invalid_token',
        'Your session is not valid or has ended. Please sign in again.',
      );
    }
    return member;
  }
}

function invalidKey(): ApiFailure {
  return new ApiFailure(401, 'invalid_api_key', 'The API key in the header X-API-Key is not valid.');
}
