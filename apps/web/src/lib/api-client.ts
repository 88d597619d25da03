import { apiError, apiHeaders } from '@cellfolio/contract';
import { ApiContractBroken, ApiRefusal, ApiUnreachable } from './api-errors.ts';
import { randomId } from './random-id.ts';

/** Any schema of the contract: it checks an unknown value and gives it its type. */
interface Schema<T> {
  parse(value: unknown): T;
}

export interface ApiCall<T> {
  /** Begins with `/api`; what it holds of names is already percent-encoded. */
  path: string;
  answer: Schema<T>;
  /** Sent as JSON by POST; without it the call is a GET. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Calls the analysis server: headers on, answer checked, errors tagged. */
export type ApiClient = <T>(call: ApiCall<T>) => Promise<T>;

export interface ApiClientOptions {
  analysisUrl: string;
  apiKey: string;
  /** `null` when nobody is signed in. */
  accessToken: () => Promise<string | null>;
  sessionId: () => Promise<string>;
  fetch?: typeof fetch;
}

/**
 * @returns a client whose calls throw {@link ApiRefusal}, {@link ApiUnreachable}, {@link ApiContractBroken}, or the
 * `AbortError` of their signal.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  return async ({ path, answer, body, signal }) => {
    const [token, session] = await Promise.all([options.accessToken(), options.sessionId()]);
    signal?.throwIfAborted();
    const headers = new Headers({
      accept: 'application/json',
      [apiHeaders.apiKey]: options.apiKey,
      [apiHeaders.session]: session,
      [apiHeaders.request]: randomId(),
    });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');

    let text: string;
    let response: Response;
    try {
      response = await send(`${options.analysisUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ApiUnreachable(cause);
    }
    if (!response.ok) throw refusal(response.status, text);
    try {
      return answer.parse(JSON.parse(text));
    } catch (cause) {
      throw new ApiContractBroken(path, cause);
    }
  };
}

function refusal(status: number, text: string): ApiRefusal {
  try {
    const { code, message } = apiError.parse(JSON.parse(text));
    return new ApiRefusal(status, code, message);
  } catch {
    // A proxy in between answers in its own words.
    return new ApiRefusal(status, '', text.trim().slice(0, 300));
  }
}
