// The npm commands start, build, dev, cellfolio and bench.
import { become, ensureInstalled, ensureBuilt, loadDotEnv, pinnedNode } from './toolchain.mjs';

const commands = {
  /** Prepares the demo catalogue and serves. */
  start: () => {
    ensureBuilt();
    loadDotEnv();
    become(pinnedNode, ['apps/server/src/boot/main.ts']);
  },
  /** Builds the web app and the documentation if their sources have changed. */
  build: () => ensureBuilt(),
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
