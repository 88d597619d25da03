// npm run kernels: assembles the kernels in ../wat and writes them, as text, where the sources import them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assemble } from './assemble.ts';

const sources = new URL('../wat/', import.meta.url);

export const modulesFile = fileURLToPath(new URL('./modules.ts', import.meta.url));

/** Source text of the modules file: a constant `<name>Module` for each `<name>.wat`. */
export function builtModules(): string {
  const constants = readdirSync(sources)
    .filter((file) => file.endsWith('.wat'))
    .sort()
    .map((file) => {
      const bytes = Buffer.from(assemble(readFileSync(new URL(file, sources), 'utf8')));
      const lines = bytes.toString('base64').match(/.{1,110}/g) ?? [];
      const text = lines.map((line) => `  '${line}'`).join(' +\n');
      return `export const ${file.replace('.wat', '')}Module = decoded(\n${text},\n);\n`;
    });
  return `// Assembled from ../wat by \`npm run kernels\`: change those.
const decoded = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

${constants.join('\n')}`;
}

if (import.meta.main) writeFileSync(modulesFile, builtModules());
