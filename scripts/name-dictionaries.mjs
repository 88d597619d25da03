// Names in users' files may be properties of every object, such as `constructor`. Lookups by name must use a Map, or an
// object without a prototype; this check finds lookups in plain objects.
import { readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, TypeFlags } from 'typescript/unstable/sync';
import { root } from './toolchain.mjs';

/** A comment at a lookup or in the line above: why the name is not from a user. */
const allowed = /\/[/*].*name-dictionary: \S+/;

/**
 * Finds lookups by a computed string in objects: `names[name]`, `name in names`, `const { [name]: value } = names`; and
 * records of zod. Ignores tests.
 * @param configurations paths of tsconfig files
 * @returns lines `file:line: problem`
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
  const records = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ElementAccessExpression) {
      lookups.push({ node, object: node.expression, key: node.argumentExpression });
    } else if (
      node.kind === SyntaxKind.BinaryExpression &&
      node.operatorToken.kind === SyntaxKind.InKeyword
    ) {
      lookups.push({ node, object: node.right, key: node.left });
    } else if (node.kind === SyntaxKind.BindingElement && isComputed(node.propertyName)) {
      lookups.push({ node: node.parent, object: node.parent, key: node.propertyName.expression });
    } else if (node.kind === SyntaxKind.CallExpression && isRecordOfTexts(node, file)) {
      records.push(node);
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  const keys = lookups.length > 0 ? checker.getTypeAtLocation(lookups.map(({ key }) => key)) : [];
  const named = lookups.filter((_, i) => keys[i] && isText(checker, keys[i]));
  const objects = named.length > 0 ? checker.getTypeAtLocation(named.map(({ object }) => object)) : [];
  const faulty = [
    ...named.map(({ node }, i) => ({
      node,
      problem: `a text is looked up in an object of type ${checker.typeToString(objects[i])}: use a Map`,
    })),
    ...records.map((node) => ({
      node,
      problem: 'z.record leaves out a key named __proto__: use the schemas of data-names.ts',
    })),
  ];
  const lines = file.text.split('\n');
  return faulty.flatMap(({ node, problem }) => {
    const line = file.text.slice(0, node.getStart(file)).split('\n').length;
    if ([lines[line - 1], lines[line - 2]].some((text) => allowed.test(text ?? ''))) return [];
    const code = node.getText(file).replaceAll(/\s+/g, ' ').slice(0, 80);
    return [`${line}: ${code}: ${problem}`];
  });
}

function isComputed(name) {
  return name?.kind === SyntaxKind.ComputedPropertyName;
}

function isRecordOfTexts(call, file) {
  const [key] = call.arguments;
  return (
    /^z\s*\.record$/.test(call.expression.getText(file)) && (key?.getText(file) ?? '').startsWith('z.string(')
  );
}

/** Whether a key may be any string. */
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

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const faults = dictionaryFaults(
    [...packages, 'apps/server', 'apps/web'].map((part) => join(root, part, 'tsconfig.json')),
  );
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
