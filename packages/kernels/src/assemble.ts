/**
 * Translates the WebAssembly text format (Core Specification, chapter 6) to the binary format (chapter 5), to the
 * extent that these kernels need: functions over one imported memory, folded instructions, named parameters, locals and
 * labels.
 */
type Expression = string | readonly Expression[];

const valueTypes = new Map([
  ['i32', 0x7f],
  ['i64', 0x7e],
  ['f32', 0x7d],
  ['f64', 0x7c],
  ['v128', 0x7b],
]);

const plain = new Map<string, readonly number[]>([
  ['i32.eqz', [0x45]],
  ['i32.eq', [0x46]],
  ['i32.ne', [0x47]],
  ['i32.lt_s', [0x48]],
  ['i32.lt_u', [0x49]],
  ['i32.gt_s', [0x4a]],
  ['i32.gt_u', [0x4b]],
  ['i32.le_s', [0x4c]],
  ['i32.ge_s', [0x4e]],
  ['i32.ge_u', [0x4f]],
  ['f32.eq', [0x5b]],
  ['f32.ne', [0x5c]],
  ['f32.le', [0x5f]],
  ['f64.eq', [0x61]],
  ['f64.lt', [0x63]],
  ['f64.gt', [0x64]],
  ['f64.ge', [0x66]],
  ['i32.clz', [0x67]],
  ['i32.ctz', [0x68]],
  ['i32.add', [0x6a]],
  ['i32.sub', [0x6b]],
  ['i32.mul', [0x6c]],
  ['i32.and', [0x71]],
  ['i32.or', [0x72]],
  ['i32.xor', [0x73]],
  ['i32.shl', [0x74]],
  ['i32.shr_s', [0x75]],
  ['i32.shr_u', [0x76]],
  ['i64.add', [0x7c]],
  ['i64.mul', [0x7e]],
  ['i64.shr_u', [0x88]],
  ['i32.wrap_i64', [0xa7]],
  ['i64.extend_i32_u', [0xad]],
  ['f32.add', [0x92]],
  ['f32.mul', [0x94]],
  ['f64.add', [0xa0]],
  ['f64.sub', [0xa1]],
  ['f64.mul', [0xa2]],
  ['f64.div', [0xa3]],
  ['f64.convert_i32_u', [0xb8]],
  ['f64.promote_f32', [0xbb]],
  ['memory.fill', [0xfc, 0x0b, 0]],
  ['f32.reinterpret_i32', [0xbe]],
  ['v128.or', [0xfd, 0x50]],
  ['v128.xor', [0xfd, 0x51]],
  ['v128.any_true', [0xfd, 0x53]],
  ['i32x4.bitmask', [0xfd, 0xa4, 0x01]],
  ['i32x4.splat', [0xfd, 0x11]],
  ['f32x4.splat', [0xfd, 0x13]],
  ['f64x2.splat', [0xfd, 0x14]],
  ['i32x4.lt_s', [0xfd, 0x39]],
  ['f32x4.le', [0xfd, 0x45]],
  ['f32x4.add', [0xfd, 0xe4, 0x01]],
  ['f32x4.sub', [0xfd, 0xe5, 0x01]],
  ['f32x4.mul', [0xfd, 0xe6, 0x01]],
  ['f32x4.pmin', [0xfd, 0xea, 0x01]],
  ['f32x4.pmax', [0xfd, 0xeb, 0x01]],
  ['f32x4.relaxed_madd', [0xfd, 0x85, 0x02]],
  ['f64x2.add', [0xfd, 0xf0, 0x01]],
  ['f64x2.sub', [0xfd, 0xf1, 0x01]],
  ['f64x2.mul', [0xfd, 0xf2, 0x01]],
  ['f64x2.relaxed_madd', [0xfd, 0x87, 0x02]],
  ['i32x4.sub', [0xfd, 0xb1, 0x01]],
  ['i32x4.min_s', [0xfd, 0xb6, 0x01]],
  ['i32x4.min_u', [0xfd, 0xb7, 0x01]],
  ['i32x4.max_s', [0xfd, 0xb8, 0x01]],
  ['i32x4.max_u', [0xfd, 0xb9, 0x01]],
  ['i32x4.dot_i16x8_s', [0xfd, 0xba, 0x01]],
]);

/** Opcode and exponent of the natural alignment; `offset=` and `align=` may follow the name. */
const memory = new Map<string, readonly [opcode: readonly number[], alignment: number]>([
  ['i32.load', [[0x28], 2]],
  ['i64.load', [[0x29], 3]],
  ['f32.load', [[0x2a], 2]],
  ['f64.load', [[0x2b], 3]],
  ['i32.load16_u', [[0x2f], 1]],
  ['i32.store', [[0x36], 2]],
  ['i64.store', [[0x37], 3]],
  ['f32.store', [[0x38], 2]],
  ['f64.store', [[0x39], 3]],
  ['v128.load', [[0xfd, 0x00], 4]],
  ['v128.load32_splat', [[0xfd, 0x09], 2]],
  ['v128.load64_splat', [[0xfd, 0x0a], 3]],
  ['v128.load64_zero', [[0xfd, 0x5d], 3]],
  ['v128.store', [[0xfd, 0x0b], 4]],
]);

/** `\0asm` and version 1. */
const magic = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Binary module of a text. Throws SyntaxError. */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const [module] = parse(text);
  if (!Array.isArray(module) || module[0] !== 'module') throw new SyntaxError('not a module');
  const functions: Expression[][] = [];
  for (const field of module.slice(1) as Expression[][]) {
    if (field[0] === 'func') functions.push(field.slice(1));
    else if (field[0] !== 'import') throw new SyntaxError(`unknown field ${String(field[0])}`);
  }
  const parts = functions.map(assembleFunction);
  return Uint8Array.from([
    ...magic,
    ...section(1, vector(parts.map(({ signature }) => signature))),
    ...section(2, vector([[...name('env'), ...name('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector(parts.map((_, i) => unsigned(i)))),
    ...section(7, vector(parts.map((part, i) => [...name(part.name), 0x00, ...unsigned(i)]))),
    ...section(10, vector(parts.map(({ code }) => sized(code)))),
  ]);
}

function assembleFunction(fields: readonly Expression[]): {
  name: string;
  signature: number[];
  code: number[];
} {
  const parameters: number[] = [];
  const results: number[] = [];
  const locals: number[] = [];
  const names = new Map<string, number>();
  let exported = '';
  const body: number[] = [];
  for (const field of fields) {
    const [kind, first = '', second = ''] = field as readonly string[];
    if (kind === 'export') exported = first.slice(1, -1);
    else if (kind === 'result') results.push(typeOf(first));
    else if (kind === 'param' || kind === 'local') {
      names.set(first, names.size);
      (kind === 'param' ? parameters : locals).push(typeOf(second));
    } else body.push(...instruction(field, names, []));
  }
  const one = (type: number) => [type];
  return {
    name: exported,
    signature: [0x60, ...vector(parameters.map(one)), ...vector(results.map(one))],
    code: [...vector(locals.map((type) => [1, type])), ...body, 0x0b],
  };
}

/** Folded instruction: its operands, then itself. `labels` are those of the enclosing blocks, the innermost last. */
function instruction(
  expression: Expression,
  names: ReadonlyMap<string, number>,
  labels: readonly string[],
): number[] {
  if (!Array.isArray(expression)) throw new SyntaxError(`not in parentheses: ${String(expression)}`);
  const [opcode, ...rest] = expression as [string, ...Expression[]];
  const all = (some: readonly Expression[], inside = labels) =>
    some.flatMap((one) => instruction(one, names, inside));
  const opcodeBytes = plain.get(opcode);
  if (opcodeBytes) return [...all(rest), ...opcodeBytes];
  const access = memory.get(opcode);
  if (access) {
    const options = rest.filter((one) => typeof one === 'string');
    const offset = Number(options.find((one) => one.startsWith('offset='))?.slice(7) ?? 0);
    const align = options.find((one) => one.startsWith('align='))?.slice(6);
    const exponent = align === undefined ? access[1] : Math.log2(Number(align));
    return [...all(rest.slice(options.length)), ...access[0], exponent, ...unsigned(offset)];
  }
  const [first, ...operands] = rest as [string, ...Expression[]];
  switch (opcode) {
    case 'local.get':
      return [0x20, ...unsigned(numberOf(first, names))];
    case 'local.set':
      return [...all(operands), 0x21, ...unsigned(numberOf(first, names))];
    case 'local.tee':
      return [...all(operands), 0x22, ...unsigned(numberOf(first, names))];
    case 'i32.const':
      return [0x41, ...signed(BigInt(Number(first) | 0))];
    case 'i64.const':
      return [0x42, ...signed(BigInt(first))];
    case 'f32.const':
      return [0x43, ...new Uint8Array(Float32Array.of(Number(first)).buffer)];
    case 'f64.const':
      return [0x44, ...new Uint8Array(Float64Array.of(Number(first)).buffer)];
    case 'v128.const':
      return [0xfd, 0x0c, ...new Uint8Array(Int32Array.from(operands.map(Number)).buffer)];
    case 'i32x4.extract_lane':
      return [...all(operands), 0xfd, 0x1b, Number(first)];
    case 'i32x4.replace_lane':
      return [...all(operands), 0xfd, 0x1c, Number(first)];
    case 'i64x2.extract_lane':
      return [...all(operands), 0xfd, 0x1d, Number(first)];
    case 'i8x16.shuffle':
      return [...all(rest.slice(16)), 0xfd, 0x0d, ...rest.slice(0, 16).map(Number)];
    case 'block':
    case 'loop':
      return [opcode === 'block' ? 0x02 : 0x03, 0x40, ...all(operands, [...labels, first]), 0x0b];
    case 'br':
      return [0x0c, depthOf(first, labels)];
    case 'br_if':
      return [...all(operands), 0x0d, depthOf(first, labels)];
    case 'if': {
      const [condition, then, otherwise] = rest as [Expression, Expression[], Expression[]?];
      const inside = [...labels, ''];
      const alternative = otherwise ? [0x05, ...all(otherwise.slice(1), inside)] : [];
      return [...all([condition]), 0x04, 0x40, ...all(then.slice(1), inside), ...alternative, 0x0b];
    }
    default:
      throw new SyntaxError(`unknown instruction ${opcode}`);
  }
}

function typeOf(type: string): number {
  const typeCode = valueTypes.get(type);
  if (typeCode === undefined) throw new SyntaxError(`unknown type ${type}`);
  return typeCode;
}

function numberOf(local: string, names: ReadonlyMap<string, number>): number {
  const localIndex = names.get(local);
  if (localIndex === undefined) throw new SyntaxError(`unknown local ${local}`);
  return localIndex;
}

function depthOf(label: string, labels: readonly string[]): number {
  const at = labels.lastIndexOf(label);
  if (at < 0) throw new SyntaxError(`unknown label ${label}`);
  return labels.length - 1 - at;
}

function parse(text: string): Expression[] {
  const stack: Expression[][] = [[]];
  for (const [token] of text.replaceAll(/;;.*/g, '').matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const closed = stack.pop();
      if (!closed || stack.length === 0) throw new SyntaxError('a parenthesis too many');
      stack.at(-1)!.push(closed);
    } else stack.at(-1)!.push(token);
  }
  if (stack.length !== 1) throw new SyntaxError('a parenthesis is missing');
  return stack[0]!;
}

const sized = (content: readonly number[]) => [...unsigned(content.length), ...content];
const section = (id: number, content: readonly number[]) => [id, ...sized(content)];
const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const name = (text: string) => vector(Array.from(new TextEncoder().encode(text), (byte) => [byte]));

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}
