import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An account in its free trial. Returns the session as the authentication service answered it. */
export async function signUp(email: string, password: string): Promise<string> {
  const site = process.env['CELLFOLIO_E2E_URL'] ?? '';
  const { publishableKey } = (await (await fetch(`${site}/config.json`)).json()) as {
    publishableKey: string;
  };
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const call = request(
      `${site}/auth/v1/signup`,
      {
        method: 'POST',
        headers: { apikey: publishableKey, 'content-type': 'application/json' },
        ...(process.platform === 'linux' && { localAddress: ownAddress() }),
      },
      (answer) => void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
    );
    call.on('error', reject);
    call.end(JSON.stringify({ email, password }));
  });
  if (status !== 200) throw new Error(`signing up answered ${status}: ${body}`);
  return body;
}

/** Of this machine alone, and hardly another test's: from one address thirty may sign up in five minutes. */
function ownAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 254);
  return `127.${part()}.${part()}.${part()}`;
}
