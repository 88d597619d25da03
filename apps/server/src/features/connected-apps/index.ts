export { ClientMetadata } from './client-metadata.ts';
export { ConnectedApps } from './connected-apps.ts';
export { challengeOf } from './challenge.ts';
