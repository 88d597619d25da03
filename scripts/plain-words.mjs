// Docstrings and comments say in standard terms what a name does not, and begin with the thing or the verb. Names are
// nouns for things and verbs for actions. Titles of tests say what the software does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { spellingFaults, visibleFiles } from './american-spelling.mjs';
import { root } from './toolchain.mjs';

const docstrings = /\/\*\*(?<text>[\s\S]*?)\*\//g;
const opening = /^(?:of|what|that|those|who|whose|whoever|as many|so many)\b/i;
const commentOpening = /^\s*\/\/ (?<first>Of|That|Those|As many)\b/;
const dialect = /\b(?:whoever|nobody|anew|strewn|gladly)\b/i;
const titleDialect = new RegExp(`${dialect.source}|\\b(?:asked|said|told)\\b`, 'i');
const testCall = /^(?:describe|it|test)\b/;

const refused =
  'anew|asked|found|given|kept|known|least|most|nobody|passing|patiently|said|standard|told|whoever';
const refusedName = new RegExp(`^(?:#?(?:${refused})|Own[A-Z].*)$`);
const anyRefused = new RegExp(`\\b(?:${refused}|Own[A-Z])`);
const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/** Declarations that may have such a name; all of them where `names` is absent. Keys of literals are not checked. */
const exceptions = [
  {
    files: /^apps\/server\/src\/features\/uploads\/(?:caller-rules|linked-data\/own-links|own-jobs)\.ts$/,
    names: ['asked', 'most'],
    reason: 'columns of an SQL query',
  },
  {
    files: /^apps\/web\/src\/features\/(?:subsets\/filter-config\.ts|explore\/explorer-filters\.test\.tsx)$/,
    names: ['kept'],
    reason: 'a field of requests and of saved filters',
  },
  {
    files:
      /^(?:packages\/analysis\/src\/(?:deciles\/ends-chain\.test|pseudobulk\/testing\/reference|quasi-likelihood\/quasi-likelihood-reference\.test)|bench\/src\/cases\/sums|apps\/(?:server\/src\/features\/explore\/pbmc68k\.real|web\/src\/features\/blog\/quoted-numbers)\.test)\.ts$/,
    names: ['found', 'kept'],
    reason: 'a field of JSON files',
  },
  {
    files:
      /^packages\/(?:figures\/src\/(?:plot|pseudobulk-content|ligand-receptor\/(?:heatmap|spec|words))|analyses\/src\/co-expression\/(?:compute|declare|serve))\.ts$/,
    names: ['most', 'passing'],
    reason: 'a field of requests, answers and specs of figures',
  },
  {
    files:
      /^apps\/server\/src\/features\/(?:analyses\/comparison|gene-comparisons\/pseudobulk\/pseudobulk)\.test\.ts$/,
    names: ['found', 'kept'],
    reason: 'numbers of a caution',
  },
];

/** @returns lines `number: problem` */
export function wordFaults(text) {
  const faults = [];
  for (const { index, groups } of text.matchAll(docstrings)) {
    const words = groups.text.replaceAll(/^\s*\* ?/gm, '').trim();
    const line = lineAt(text, index);
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

/** @returns lines `number: problem` */
export function nameFaults(text, path) {
  if (!anyRefused.test(text.replaceAll(comments, ''))) return [];
  const allowed = exceptions.filter(({ files }) => files.test(path));
  return [...declaredNames(programOf(text, path))].flatMap(({ name, start }) =>
    !refusedName.test(name) || allowed.some(({ names }) => names === undefined || names.includes(name))
      ? []
      : [`${lineAt(text, start)}: “${name}” is no name of a thing: use the standard term`],
  );
}

/** @returns lines `number: problem` */
export function titleFaults(text, path) {
  if (!/\.(?:test|spec)\.tsx?$/.test(path) || !titleDialect.test(text)) return [];
  return [...nodesOf(programOf(text, path))].flatMap((node) => {
    if (node.type !== 'CallExpression' || !testCall.test(text.slice(node.callee.start))) return [];
    const [title] = node.arguments;
    if (title?.type !== 'Literal' && title?.type !== 'TemplateLiteral') return [];
    const odd = titleDialect.exec(text.slice(title.start, title.end))?.[0];
    return odd
      ? [`${lineAt(text, title.start)}: “${odd}” in a title: say with an active verb what the software does`]
      : [];
  });
}

function programOf(text, path) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return program;
}

function lineAt(text, index) {
  return text.slice(0, index).split('\n').length;
}

const members = /^(?:TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/;

/** Names of variables, parameters, functions, types and members of types and classes. */
function* declaredNames(program) {
  for (const { id, param, params = [], label, type, computed, key } of nodesOf(program))
    for (const pattern of [id, param, label, ...params, members.test(type) && !computed && key])
      yield* boundNames(pattern);
}

function* nodesOf(node) {
  yield node;
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') yield* nodesOf(child);
}

function* boundNames(pattern) {
  if (pattern?.type === 'Identifier') yield pattern;
  else if (pattern?.type === 'PrivateIdentifier') yield { ...pattern, name: `#${pattern.name}` };
  else if (pattern?.type === 'ObjectPattern')
    for (const property of pattern.properties) yield* boundNames(property.value ?? property);
  else if (pattern?.type === 'ArrayPattern')
    for (const element of pattern.elements) yield* boundNames(element);
  else if (/^(?:AssignmentPattern|RestElement|TSParameterProperty)$/.test(pattern?.type))
    yield* boundNames(pattern.left ?? pattern.argument ?? pattern.parameter);
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(
      (name) =>
        /\.(?:tsx?|mjs)$/.test(name) &&
        !/(^|\/)(node_modules|dist|\.[^/]+)\//.test(name) &&
        name !== 'plain-words.test.ts',
    )
    .map((name) => join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = ['packages', 'apps', 'bench', 'conformance', 'e2e', 'fixtures', 'scripts', 'tools'];
  const faults = folders.flatMap(sourceFiles).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const all = [...wordFaults(text), ...nameFaults(text, path), ...titleFaults(text, path)];
    return all.map((fault) => `${path}:${fault}`);
  });
  for (const path of visibleFiles()) {
    const text = readFileSync(join(root, path), 'utf8');
    faults.push(...spellingFaults(text, path).map((fault) => `${path}:${fault}`));
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
