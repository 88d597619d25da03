import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from './database/database.ts';
import { openTestDatabase, passwordCost } from './database/test-databases.ts';
import { type PlatformOptions, platformPlugin } from './platform-plugin.ts';

export const publishableKey = 'sb_publishable_test';
export const secretKey = 'sb_secret_test';
export const url = 'http://127.0.0.1:3000';
export const password = 'correct horse';
export const headers = { apikey: publishableKey, 'x-supabase-api-version': '2024-01-01' };

export function testPlatforms() {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database?.close());
  let people = 0;
  const newEmail = () => `p${(people += 1)}@example.org`;
  return {
    database: () => database,
    newEmail,
    async build(more: Partial<PlatformOptions> = {}): Promise<FastifyInstance> {
      const app = fastify();
      await app.register(platformPlugin, {
        database,
        siteUrl: url,
        publicUrl: url,
        publishableKey,
        secretKey,
        ...more,
        settings: { rateLimits: false, passwordCost, ...more.settings },
      });
      return app;
    },
    async signUp(
      app: FastifyInstance,
    ): Promise<{ access_token: string; refresh_token: string; email: string }> {
      const email = newEmail();
      const answer = await app.inject({
        method: 'POST',
        url: '/auth/v1/signup',
        headers,
        payload: { email, password },
      });
      return { ...answer.json(), email };
    },
  };
}
