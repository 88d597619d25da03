import { parseAst } from 'vite';

/** A node of the syntax tree, with the fields that are read here. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly body?: Node | readonly Node[];
  readonly expression?: Node;
  readonly declarations?: readonly { readonly init: Node }[];
  readonly argument?: Node;
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  readonly expressions?: readonly Node[];
  readonly consequent?: Node;
  readonly alternate?: Node;
  readonly property?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operator?: string;
}

/** Words of the numbers of cautions that are shorter there than a reader needs. */
const words = new Map([
  ['of', 'share'],
  ['on', 'axis'],
  ['rho', 'ρ'],
]);

/**
 * The sentence that a caution is made of, with the names of what its result fills in in italics, as Markdown. Read from the source of the
 * function, because only a result has its numbers. Empty if the function takes the whole sentence from elsewhere.
 */
export function cautionTemplate(text: (...args: never) => string): string {
  const program = parseAst(`(${text.toString()})`) as unknown as { readonly body: readonly Node[] };
  const arrow = program.body[0]!.expression!;
  const result = returned(arrow.body as Node);
  const sentence = result === undefined ? '' : textOf(result).replaceAll(/\s+/g, ' ').trim();
  return /[a-z]{3}.*[a-z]{3}/i.test(sentence.replaceAll(/_[^_]*_/g, '')) ? sentence : '';
}

/** The value of the last `return`, or of an arrow without a block. */
function returned(body: Node): Node | undefined {
  if (body.type !== 'BlockStatement') return body;
  return (body.body as readonly Node[]).findLast(({ type }) => type === 'ReturnStatement')?.argument;
}

function textOf(node: Node): string {
  switch (node.type) {
    case 'Literal':
      return String(node.value);
    case 'TemplateLiteral':
      return node.quasis!.map(({ value }, i) => value.cooked + optionalText(node.expressions![i])).join('');
    case 'ConditionalExpression':
      return either(textOf(node.consequent!), textOf(node.alternate!));
    case 'BinaryExpression':
      return node.operator === '+' ? textOf(node.left!) + textOf(node.right!) : '_number_';
    case 'CallExpression':
      return callText(node);
    case 'ParenthesizedExpression':
      return textOf(node.expression!);
    default:
      return `_${nameOf(node)}_`;
  }
}

const optionalText = (node: Node | undefined) => (node === undefined ? '' : textOf(node));

/** Both forms of a sentence or of a part of it. */
function either(one: string, other: string): string {
  if (one === '' || other === '') return one === '' ? other : one;
  return one === other ? one : `${one.trimEnd()} / ${other.trimStart()}`;
}

function callText({ callee, arguments: args = [] }: Node): string {
  const name = nameOf(callee!);
  const [first, one, many] = args;
  if (name === 'plural' && first && one) return `${textOf(first)} ${many ? textOf(many) : `${textOf(one)}s`}`;
  if (name === 'pluralWord' && many) return textOf(many);
  if (/^(countText|percentText|numberText|columnTitle|listedNames|String)$/.test(name) && first)
    return `_${nameOf(first)}_`;
  if (/^to[A-Z]/.test(name) && callee!.type === 'MemberExpression') return '_number_';
  return '…';
}

/** A name as words: `notInDataset` as `not in dataset`. */
function nameOf(node: Node): string {
  if (node.type === 'MemberExpression' || node.type === 'StaticMemberExpression')
    return nameOf(node.property!);
  if (node.type === 'ChainExpression') return nameOf(node.expression!);
  if (node.type === 'LogicalExpression') return nameOf(node.left!);
  if (node.type !== 'Identifier') return '…';
  const name = node.name!;
  if (/Text$|^(plural|pluralWord|columnTitle|listedNames|String|to[A-Z]\w*)$/.test(name)) return name;
  return (
    words.get(name) ??
    name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
  );
}
