// npm start: installs, builds, prepares the demo catalogue and serves.
import { become, ensureInstalled, ensureWebBuilt, loadDotEnv, pinnedNode } from './toolchain.mjs';

ensureInstalled();
ensureWebBuilt();
loadDotEnv();
become(pinnedNode, ['apps/server/src/boot/main.ts']);
