// Builds the web app, unless its sources are those of the last build.
import { ensureInstalled, ensureWebBuilt } from './toolchain.mjs';

ensureInstalled();
ensureWebBuilt();
