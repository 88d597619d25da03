import { type AddressInfo, createServer } from 'node:net';
import {
  type Database,
  issuerOf,
  platformPlugin,
  type PlatformOptions,
  type ProjectKeys,
  provisionKeys,
} from '@cellfolio/platform';
import { passwordCost } from '@cellfolio/platform/testing';
import fastify from 'fastify';

export interface PlatformServer {
  url: string;
  issuer: string;
  keys: ProjectKeys;
  clock: Clock;
  close(): Promise<void>;
}

class Clock {
  #aheadMs = 0;
  readonly now = (): number => Date.now() + this.#aheadMs;

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export async function startPlatform(
  database: Database,
  settings: NonNullable<PlatformOptions['settings']> = {},
  more: Partial<PlatformOptions> = {},
): Promise<PlatformServer> {
  const keys = await provisionKeys(database);
  const clock = new Clock();
  const app = fastify();
  // The address is part of every token, so the port is chosen before the plugin is registered.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await app.register(platformPlugin, {
    database,
    siteUrl: url,
    publicUrl: url,
    publishableKey: keys.publishableKey,
    secretKey: keys.secretKey,
    now: clock.now,
    settings: { rateLimits: false, passwordCost, ...settings },
    ...more,
  });
  await app.listen({ host: '127.0.0.1', port });
  return { url, issuer: issuerOf(url), keys, clock, close: () => app.close() };
}
