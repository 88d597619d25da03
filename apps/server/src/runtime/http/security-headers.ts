import helmet from '@fastify/helmet';
import fastifyPlugin from 'fastify-plugin';

export const securityHeadersPlugin = fastifyPlugin<{
  secure: boolean;
  connectTo: readonly string[];
  /** Origins of the captcha on the sign-in page; empty without one. */
  captchaSources: readonly string[];
}>(async (app, { secure, connectTo, captchaSources }) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'", ...captchaSources],
        frameSrc: ["'self'", ...captchaSources],
        // Component libraries set positions by style elements; no user text gets into a style.
        styleSrc: ["'self'", "'unsafe-inline'", ...captchaSources],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connectTo, ...captchaSources],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: secure,
    crossOriginEmbedderPolicy: false,
    // For browsers without frame-ancestors.
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
});
