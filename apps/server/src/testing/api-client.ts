import type { TestServer } from './running-server.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what the test asserts.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Calls `/api` as one tab of a signed-in user. JSON answers are parsed, others are bytes. */
export function apiClient(server: TestServer, token: string, tab: string) {
  const send = async (
    path: string,
    init: RequestInit,
    headers: Record<string, string>,
  ): Promise<ApiAnswer> => {
    const answer = await fetch(`${server.siteUrl}${path}`, {
      ...init,
      headers: { ...server.headers(token, tab), ...headers },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const json = answer.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = json ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
    return { status: answer.status, headers: answer.headers, body };
  };
  return {
    get: (path: string) => send(path, {}, {}),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(
        path,
        { method: 'POST', body: JSON.stringify(body) },
        { 'content-type': 'application/json', ...headers },
      ),
  };
}
