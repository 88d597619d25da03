// npm run dev: the web app with hot reload on its own port, over a server that `npm start` runs.
import { become, ensureInstalled } from './toolchain.mjs';

ensureInstalled();
become('vite', ['--host', '127.0.0.1', 'apps/web']);
