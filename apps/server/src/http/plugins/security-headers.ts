import helmet from '@fastify/helmet';
import fastifyPlugin from 'fastify-plugin';

/** Headers that keep strangers' text from running and the site from being framed. */
export const securityHeadersPlugin = fastifyPlugin<{ secure: boolean; connectTo: readonly string[] }>(
  async (app, { secure, connectTo }) => {
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          objectSrc: ["'none'"],
          frameAncestors: ["'none'"],
          formAction: ["'self'"],
          scriptSrc: ["'self'"],
          // Component libraries set positions by style elements; no stranger's text reaches a style.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'", ...connectTo],
          ...(secure && { upgradeInsecureRequests: [] }),
        },
      },
      strictTransportSecurity: secure,
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    });
  },
);
