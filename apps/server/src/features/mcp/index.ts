export { toolServer } from './tool-server.ts';
