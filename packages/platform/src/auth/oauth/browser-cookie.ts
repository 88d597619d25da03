import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'cellfolio-sign-in';
const seconds = 15 * 60;

/** What the browser kept when it left for a provider. */
export function browserOf(request: FastifyRequest): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=');
    if (key === name && value !== undefined && /^[\w-]{32}$/.test(value)) return value;
  }
  return undefined;
}

/** Kept where only the callback sees it: whoever is led there from elsewhere has not begun anything. */
export function keepBrowser(reply: FastifyReply, publicUrl: string, browser: string): void {
  const { protocol, pathname } = new URL(publicUrl);
  const path = `${pathname.replace(/\/+$/, '')}/auth/v1`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${name}=${browser}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
