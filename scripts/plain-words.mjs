// Docstrings and comments say in standard terms what a name does not, and begin with the thing or the verb.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

const docstrings = /\/\*\*(?<text>[\s\S]*?)\*\//g;
const opening = /^(?:of|what|that|those|who|whose|whoever|as many|so many)\b/i;
const commentOpening = /^\s*\/\/ (?<first>Of|That|Those|As many)\b/;
const dialect = /\b(?:whoever|nobody|anew|strewn|gladly)\b/i;

/** @returns lines `number: problem` */
export function wordFaults(text) {
  const faults = [];
  for (const { index, groups } of text.matchAll(docstrings)) {
    const words = groups.text.replaceAll(/^\s*\* ?/gm, '').trim();
    const line = text.slice(0, index).split('\n').length;
    const first = opening.exec(words)?.[0];
    if (first) faults.push(`${line}: begins with “${first}”: begin with the thing or the verb`);
    const odd = dialect.exec(words)?.[0];
    if (odd) faults.push(`${line}: “${odd}”: use the standard term`);
  }
  for (const [at, line] of text.split('\n').entries()) {
    const first = commentOpening.exec(line)?.groups.first;
    if (first) faults.push(`${at + 1}: begins with “${first}”: begin with the thing or the verb`);
  }
  return faults;
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist|\.[^/]+)\//.test(name))
    .map((name) => join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = ['packages', 'apps', 'bench', 'conformance', 'e2e', 'fixtures', 'tools'].flatMap((folder) =>
    sourceFiles(folder).flatMap((path) =>
      wordFaults(readFileSync(join(root, path), 'utf8')).map((fault) => `${path}:${fault}`),
    ),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
