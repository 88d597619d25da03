// npm run bench -- [case…]: measures ours and the peer side by side.
import { become, ensureInstalled, pinnedNode } from './toolchain.mjs';

ensureInstalled();
become(pinnedNode, ['bench/src/main.ts', ...process.argv.slice(2)]);
