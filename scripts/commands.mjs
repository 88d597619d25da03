// The npm commands start, build, dev, cellfolio and bench.
import { become, ensureInstalled, ensureWebBuilt, loadDotEnv, pinnedNode } from './toolchain.mjs';

const commands = {
  /** Prepares the demo catalogue and serves. */
  start: () => {
    ensureWebBuilt();
    loadDotEnv();
    become(pinnedNode, ['apps/server/src/boot/main.ts']);
  },
  /** Builds the web app if its sources have changed. */
  build: () => ensureWebBuilt(),
  /** The web app with hot reload on a port of its own; needs a server started by `npm start`. */
  dev: () => become('vite', ['--host', '127.0.0.1', 'apps/web']),
  /** The command line: npm run cellfolio -- <verb>. */
  cellfolio: (words) => {
    loadDotEnv();
    become(pinnedNode, ['apps/server/src/ops/main.ts', ...words]);
  },
  /** Measures ours and the peer side by side: npm run bench -- [case…]. */
  bench: (words) => become(pinnedNode, ['tools/bench.ts', ...words]),
};

const [name, ...words] = process.argv.slice(2);
ensureInstalled();
commands[name](words);
