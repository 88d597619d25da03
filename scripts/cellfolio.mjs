// npm run cellfolio -- <verb>: the command-line tool.
import { become, ensureInstalled, loadDotEnv, pinnedNode } from './toolchain.mjs';

ensureInstalled();
loadDotEnv();
become(pinnedNode, ['apps/server/src/ops/main.ts', ...process.argv.slice(2)]);
