/**
 * Writes WebAssembly modules of a few functions over one imported memory: each instruction is a function that gives
 * the bytes of its operands and then its own (WebAssembly Core Specification 1.0, chapter 5, with bulk memory for
 * `fill`). Only what the kernels here need.
 */
export type Code = readonly number[];
type ValueType = 'i32' | 'f64';
/** Numbers of the parameters and locals of a function by their names. */
type Names<Name extends string> = Readonly<Record<Name, number>>;

export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly result: ValueType | undefined;
  readonly body: Code;
}

/** A function of named parameters and locals, in the order they are given. */
export function wasmFunction<Parameter extends string, Local extends string>(
  name: string,
  parameters: Readonly<Record<Parameter, ValueType>>,
  locals: Readonly<Record<Local, ValueType>>,
  write: (names: Names<Parameter | Local>) => { body: Code; result?: ValueType },
): WasmFunction {
  const all = [...Object.keys(parameters), ...Object.keys(locals)] as (Parameter | Local)[];
  const names = Object.fromEntries(all.map((key, i) => [key, i])) as Record<Parameter | Local, number>;
  const { body, result } = write(names);
  return { name, parameters: Object.values(parameters), locals: Object.values(locals), result, body };
}

const typeBytes: Readonly<Record<ValueType, number>> = { i32: 0x7f, f64: 0x7c };

/** `\0asm` and version 1. */
const magic = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** The module: imports the memory `env.memory`, exports every function. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const signature = ({ parameters, result }: WasmFunction) => [
    0x60,
    ...vector(parameters.map((type) => [typeBytes[type]])),
    ...vector(result ? [[typeBytes[result]]] : []),
  ];
  const code = ({ locals, body }: WasmFunction) => {
    const bytes = [...vector(locals.map((type) => [1, typeBytes[type]])), ...body, 0x0b];
    return [...unsigned(bytes.length), ...bytes];
  };
  return Uint8Array.from([
    ...magic,
    ...section(1, vector(functions.map(signature))),
    ...section(2, vector([[...text('env'), ...text('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector(functions.map((_, i) => unsigned(i)))),
    ...section(7, vector(functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)]))),
    ...section(10, vector(functions.map(code))),
  ]);
}

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const text = (name: string): Code => vector(Array.from(new TextEncoder().encode(name), (byte) => [byte]));

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const binary = (opcode: number) => (a: Code, b: Code) => [...a, ...b, opcode];
const unary = (opcode: number) => (a: Code) => [...a, opcode];
/** `align` is the exponent of the alignment that the address has; `offset` is added to it. */
const load =
  (opcode: number, align: number) =>
  (address: Code, offset = 0) => [...address, opcode, align, ...unsigned(offset)];
const store =
  (opcode: number, align: number) =>
  (address: Code, value: Code, offset = 0) => [...address, ...value, opcode, align, ...unsigned(offset)];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** Sets a local and leaves its value as an operand. */
export const tee = (local: number, value: Code): Code => [...value, 0x22, ...unsigned(local)];

export const i32 = (value: number): Code => [0x41, ...signed(value)];
export const f64 = (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];

export const i32Load = load(0x28, 2);
export const f64LoadF32 = (address: Code) => [...load(0x2a, 2)(address), 0xbb];
export const f64Load = load(0x2b, 3);
export const i32Load16u = load(0x2f, 1);
export const i32Store = store(0x36, 2);
export const f64Store = store(0x39, 3);
/** Sets bytes from an address on to 0. */
export const zeroFill = (address: Code, bytes: Code): Code => [
  ...address,
  ...i32(0),
  ...bytes,
  0xfc,
  0x0b,
  0x00,
];

export const equal = binary(0x46);
export const notEqual = binary(0x47);
export const lessSigned = binary(0x48);
export const greaterSigned = binary(0x4a);
export const atMostSigned = binary(0x4c);
export const atLeastSigned = binary(0x4e);
export const below = binary(0x49);
export const above = binary(0x4b);
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const and = binary(0x71);
export const xor = binary(0x73);
export const shiftLeft = binary(0x74);
export const shiftRightSigned = binary(0x75);
export const shiftRight = binary(0x76);
export const isZero = unary(0x45);
export const f64Add = binary(0xa0);
export const f64Subtract = binary(0xa1);
export const f64Multiply = binary(0xa2);
export const f64FromUnsigned = unary(0xb8);

/** Repeats the body as long as the condition holds. */
export function whileTrue(condition: Code, ...body: readonly Code[]): Code {
  return [0x02, 0x40, 0x03, 0x40, ...isZero(condition), 0x0d, 1, ...body.flat(), 0x0c, 0, 0x0b, 0x0b];
}

/** Does the body once, and again as long as the condition holds after it. */
export function doWhile(condition: Code, ...body: readonly Code[]): Code {
  return [0x03, 0x40, ...body.flat(), ...condition, 0x0d, 0, 0x0b];
}

export function ifTrue(condition: Code, then: readonly Code[], otherwise: readonly Code[] = []): Code {
  const alternative = otherwise.length > 0 ? [0x05, ...otherwise.flat()] : [];
  return [...condition, 0x04, 0x40, ...then.flat(), ...alternative, 0x0b];
}
