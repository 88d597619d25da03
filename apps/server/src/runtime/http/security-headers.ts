import helmet from '@fastify/helmet';
import fastifyPlugin from 'fastify-plugin';

/** Headers that keep strangers' text from running and the site from being framed. */
export const securityHeadersPlugin = fastifyPlugin<{
  secure: boolean;
  connectTo: readonly string[];
  /** Of the captcha that the sign-in page shows; empty without one. */
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
        // Component libraries set positions by style elements; no stranger's text reaches a style.
        styleSrc: ["'self'", "'unsafe-inline'", ...captchaSources],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connectTo, ...captchaSources],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: secure,
    crossOriginEmbedderPolicy: false,
    // For browsers that do not know frame-ancestors.
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
});
