// Texts that users read are in American spelling: those of the app, of the answers of server and database, of figures and
// of the docs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from './toolchain.mjs';

/** Beginnings of words with `is` for `iz`. Verbs that have only `is`, such as `compromise`, are absent. */
const izeStems =
  'binar|capital|categor|centr|character|color|colour|custom|depriorit|discret|emphas|equal|factor|final|general|harmon|initial|item|local|material|maxim|memor|minim|mobil|neutral|normal|optim|organ|parallel|parameter|penal|polar|priorit|quant|random|real|recogn|regular|reinitial|renormal|serial|special|stabil|standard|summar|symbol|symmetr|synchron|token|unrecogn|util|vector|visual|winsor';

/** British spellings, each with a replacement; all of them are parts of words. */
export const britishSpellings = [
  [
    new RegExp(`\\b((?:un|de|re|over|under)?(?:${izeStems}))is(e[drs]?|ers|ing|ations?|able)\\b`, 'gi'),
    '$1iz$2',
  ],
  [/\b(re)?analys(e|ed|er|ers|ing)\b/gi, '$1analyz$2'],
  [/\bcatalogue(s?)\b/gi, 'catalog$1'],
  [/\bcatalogued\b/gi, 'cataloged'],
  [/\b(ortho|homo|para)logue(s?)\b/gi, '$1log$2'],
  [/\b(un|re|multi)?colour/gi, '$1color'],
  [/\b(un)?favour/gi, '$1favor'],
  [/\b(neighb|behavi|hum|hon|flav|rum|tum|harb|vig)our/gi, '$1or'],
  [/\b(cent|fib|lit|millimet|micromet|kilomet)re(s?)\b/gi, '$1er$2'],
  [/\bcentred\b/gi, 'centered'],
  [/\bcentring\b/gi, 'centering'],
  [/\bgrey(s|ed|ish)?\b/gi, 'gray$1'],
  [
    /\b(un|re|mis)?(label|cancel|model|total|travel|signal|channel|level|tunnel|marshal)l(ed|ing)\b/gi,
    '$1$2$3',
  ],
  [/\blicence(s?)\b/gi, 'license$1'],
  [/\b(def|off)ence(s?)\b/gi, '$1ense$2'],
  [/\bartefact/gi, 'artifact'],
  [/\bprogramme(s?)\b/gi, 'program$1'],
  [/\b(h)aem(o|a)/gi, '$1em$2'],
  [/\b(leuk|an)aemi/gi, '$1emi'],
  [/\boestr/gi, 'estr'],
  [/\bwhilst\b/gi, 'while'],
  [/\bspelt\b/gi, 'spelled'],
  [/\blearnt\b/gi, 'learned'],
  [/\bsceptic/gi, 'skeptic'],
  [/\bjudgement/gi, 'judgment'],
  [/\bageing\b/gi, 'aging'],
];

/** Names of files, packages, commands and functions of others, which are theirs to spell. */
const names =
  /`[^`]*`|\bhttps?:\S+|\b[\w-]*[/_.][\w/_.-]*[\w-]\b|--[\w-]+|<[^>]*>|\borthologues (?=add|list|remove)/g;

/** Files whose texts are data, protocols or SQL, by what they hold. */
const exceptions = [
  { files: /^apps\/server\/src\/features\/demo\//, reason: 'names of simulated cells, which datasets have' },
  { files: /^packages\/model\/src\/unit-name\.ts$/, reason: 'names that columns of files have' },
  { files: /_category_displays\.sql$/, reason: 'a later migration drops its function' },
];

/** @returns the text in American spelling, with all names in it as they are */
export function american(text) {
  let result = '';
  let at = 0;
  for (const { 0: name, index } of text.matchAll(names)) {
    result += replaced(text.slice(at, index)) + name;
    at = index + name.length;
  }
  return result + replaced(text.slice(at));
}

function replaced(text) {
  let result = text;
  for (const [spelling, replacement] of britishSpellings) {
    result = result.replaceAll(spelling, (word, ...parts) => {
      const groups = parts.slice(
        0,
        parts.findIndex((part) => typeof part === 'number'),
      );
      const other = replacement.replaceAll(/\$(\d)/g, (_, group) => groups[group - 1] ?? '');
      return word[0] === word[0].toUpperCase() ? other[0].toUpperCase() + other.slice(1) : other;
    });
  }
  return result;
}

const sql =
  /\b(?:select|insert into|update|delete from|create|alter|grant|where)\b[\s\S]*\b(?:from|set|table|on|values|=)/;

/** Pieces of a source file that users may read: sentences, and words that begin with a capital. */
export function* visibleTexts(text, path) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  yield* textsOf(program, text);
}

function* textsOf(node, text) {
  const { type, start, end } = node;
  if (
    type === 'ImportDeclaration' ||
    type === 'TSLiteralType' ||
    (/^Export(?:All|Named)/.test(type) && node.source)
  )
    return;
  if (type === 'JSXAttribute' && node.name.name === 'className') return;
  if (type === 'JSXText') yield { start, end };
  else if (type === 'TemplateElement' || (type === 'Literal' && typeof node.value === 'string')) {
    const words = text.slice(start, end);
    if ((/[a-z,.:;] |\s[a-z]/i.test(words) || /^['"`]?[A-Z][a-z]/.test(words)) && !sql.test(words))
      yield { start, end };
  }
  for (const child of Object.values(node).flat())
    if (typeof child?.type === 'string') yield* textsOf(child, text);
}

/** Parts of a page in Markdown outside of code. */
export function* proseOf(text) {
  let at = 0;
  for (const { 0: code, index } of text.matchAll(/^```[\s\S]*?^```$|^ {4}.*$|\]\([^)]*\)/gm)) {
    yield { start: at, end: index };
    at = index + code.length;
  }
  yield { start: at, end: text.length };
}

/** Messages that functions and policies of the database raise. */
function* raisedTexts(text) {
  const texts = /(?:(?:message|hint|detail) = (?:format\()?|raise exception )'(?<words>(?:[^']|'')*)'/dg;
  for (const { indices } of text.matchAll(texts)) {
    const [start, end] = indices.groups.words;
    yield { start, end };
  }
}

function partsOf(text, path) {
  if (path.endsWith('.md')) return proseOf(text);
  return path.endsWith('.sql') ? raisedTexts(text) : visibleTexts(text, path);
}

/** @returns lines `number: problem` */
export function spellingFaults(text, path) {
  if (exceptions.some(({ files }) => files.test(path))) return [];
  return [...partsOf(text, path)].flatMap(({ start, end }) => {
    const words = text.slice(start, end);
    const other = american(words);
    if (other === words) return [];
    const at = [...words].findIndex((letter, place) => letter !== other[place]);
    const line = text.slice(0, start + at).split('\n').length;
    return [`${line}: “${words.slice(Math.max(0, at - 20), at + 12).trim()}”: write it in American spelling`];
  });
}

export function visibleFiles() {
  const folders = ['apps', 'packages', 'supabase'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const pages = readdirSync(join(root, 'docs'), { recursive: true }).map((name) => join('docs', name));
  return ['README.md', 'CHANGELOG.md', 'SUPPORT.md', ...pages, ...folders].filter(
    (name) =>
      /\.(?:tsx?|md|sql)$/.test(name) &&
      !/\.(?:test|spec|fixture|test-data)\.tsx?$|\.d\.ts$/.test(name) &&
      !/(^|\/)(node_modules|dist|testing|fixtures|\.[^/]+)\//.test(name),
  );
}
