// npm run kernels: assembles the kernels in ../wat and writes them, as text, where the sources import them.
import { writeFileSync } from 'node:fs';
import { builtModules, modulesFile } from './built-modules.ts';

writeFileSync(modulesFile, builtModules());
