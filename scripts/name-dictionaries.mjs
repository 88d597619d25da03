// Names come from files and strangers, and some of them are names of every object: `constructor`, `__proto__`.
// What is looked up by such a name is a Map, or an object without a prototype; this check finds the plain objects.
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, TypeFlags } from 'typescript/unstable/sync';
import { root } from './toolchain.mjs';

/** Comment on the line of a lookup, or the one above, that says why no stranger's name gets there. */
const allowed = /\/[/*].*name-dictionary: \S+/;

/**
 * Lookups of texts, known only when the program runs, in objects that may have a prototype: `names[name]`,
 * `name in names`, `{ [name]: value }` of it.
 * @param configurations paths of the tsconfig files whose programs are read
 * @returns lines `file:line: what is wrong`
 */
export function dictionaryFaults(configurations, folder = root) {
  const api = new API({ cwd: folder });
  try {
    const faults = new Set();
    for (const configuration of configurations) {
      const snapshot = api.updateSnapshot({ openProjects: [configuration] });
      const project = snapshot.getProject(configuration);
      if (!project) throw new Error(`${configuration} is no project`);
      for (const name of project.rootFiles) {
        if (name.endsWith('.d.ts') || isOfTests(relative(folder, name))) continue;
        for (const fault of faultsOfFile(project, name)) faults.add(`${relative(folder, name)}:${fault}`);
      }
      snapshot.dispose();
    }
    return [...faults];
  } finally {
    api.close();
  }
}

function isOfTests(path) {
  return /\.test\.tsx?$|\.test-data\.ts$|(^|\/)testing\//.test(path);
}

function faultsOfFile({ program, checker }, name) {
  const file = program.getSourceFile(name);
  if (!file) return [];
  const lookups = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ElementAccessExpression) {
      lookups.push({ node, object: node.expression, key: node.argumentExpression });
    } else if (
      node.kind === SyntaxKind.BinaryExpression &&
      node.operatorToken.kind === SyntaxKind.InKeyword
    ) {
      lookups.push({ node, object: node.right, key: node.left });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  if (lookups.length === 0) return [];
  const keys = checker.getTypeAtLocation(lookups.map(({ key }) => key));
  const named = lookups.filter((_, i) => keys[i] && isText(checker, keys[i]));
  if (named.length === 0) return [];
  const objects = checker.getTypeAtLocation(named.map(({ object }) => object));
  const lines = file.text.split('\n');
  return named.flatMap(({ node }, i) => {
    const line = lineOf(file.text, node.getStart(file));
    if ([lines[line - 1], lines[line - 2]].some((text) => allowed.test(text ?? ''))) return [];
    return [`${line}: ${node.getText(file)} [${checker.typeToString(objects[i])}]`];
  });
}

/** Whether a key may be any text. */
function isText(checker, type) {
  if (type.flags & (TypeFlags.String | TypeFlags.Any | TypeFlags.TemplateLiteral | TypeFlags.StringMapping))
    return true;
  if (type.flags & TypeFlags.Union) return type.getTypes().some((one) => isText(checker, one));
  if (type.flags & TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && isText(checker, constraint);
  }
  return false;
}

function lineOf(text, position) {
  return text.slice(0, position).split('\n').length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = ['model', 'store', 'ingest', 'analysis', 'process', 'figures', 'contract', 'platform'].map(
    (name) => `packages/${name}`,
  );
  const faults = dictionaryFaults(
    [...parts, 'apps/server', 'apps/web'].map((part) => join(root, part, 'tsconfig.json')),
  );
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
