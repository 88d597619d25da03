// npm run cellfolio -- <verb>: the command-line tool.
import { become, ensureInstalled, loadDotEnv, pinnedNode } from './toolchain.mjs';

ensureInstalled();
loadDotEnv();
become(pinnedNode, ['apps/server/src/cli/main.ts', ...process.argv.slice(2)]);
