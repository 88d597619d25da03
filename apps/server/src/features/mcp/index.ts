export { overHttp } from './api-call.ts';
export { toolServer } from './tool-server.ts';
export { scopesOf } from './tools.ts';
