/**
 * Writes WebAssembly modules of one function over one imported memory: each instruction is a function that gives the
 * bytes of its operands and then its own (WebAssembly Core Specification 1.0, chapter 5). Only what is used here.
 */
export type Code = readonly number[];

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const binary = (opcode: number) => (a: Code, b: Code) => [...a, ...b, opcode];
const unary = (opcode: number) => (a: Code) => [...a, opcode];
/** From an address and a fixed number of bytes on, however it is aligned. */
const load =
  (opcode: number) =>
  (address: Code, offset = 0) => [...address, opcode, 0, ...unsigned(offset)];
const store =
  (opcode: number) =>
  (address: Code, value: Code, offset = 0) => [...address, ...value, opcode, 0, ...unsigned(offset)];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const i64 = (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))];

export const i32Load = load(0x28);
export const i32Load16 = load(0x2f);
export const f32Load = load(0x2a);
export const f64Load = load(0x2b);
export const i64Load = load(0x29);
export const i64Load8 = load(0x31);
export const i64Load32 = load(0x35);
export const i32Store = store(0x36);
export const f32Store = store(0x38);
export const f64Store = store(0x39);

export const atMost = binary(0x4d);
export const below = binary(0x49);
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const shiftLeft = binary(0x74);
export const i64Add = binary(0x7c);
export const i64Multiply = binary(0x7e);
export const i64Xor = binary(0x85);
export const i64ShiftRight = binary(0x88);
export const i64RotateLeft = binary(0x89);
export const f32Equal = binary(0x5b);
export const f32NotEqual = binary(0x5c);
export const f32Add = binary(0x92);
export const f32Multiply = binary(0x94);
export const f64Add = binary(0xa0);
/** Low half of an i64; an i32 as an unsigned i64; a float32 as a float64. */
export const i32FromI64 = unary(0xa7);
export const i64FromI32 = unary(0xad);
export const f64FromF32 = unary(0xbb);
/** A float32 that is 0. */
export const f32Zero: Code = [0x43, 0, 0, 0, 0];

/** Repeats the body as long as the condition holds. */
export function whileTrue(condition: Code, ...body: readonly Code[]): Code {
  return [0x02, 0x40, 0x03, 0x40, ...condition, 0x45, 0x0d, 1, ...body.flat(), 0x0c, 0, 0x0b, 0x0b];
}

export function ifElse(condition: Code, then: readonly Code[], otherwise: readonly Code[]): Code {
  return [...condition, 0x04, 0x40, ...then.flat(), 0x05, ...otherwise.flat(), 0x0b];
}

const types = { i32: 0x7f, i64: 0x7e, f32: 0x7d } as const;
type ValueType = keyof typeof types;

export interface WasmFunction {
  readonly name: string;
  /** Locals 0, 1, … */
  readonly parameters: readonly ValueType[];
  /** The locals after the parameters. */
  readonly locals: readonly ValueType[];
  readonly result?: ValueType;
  readonly body: Code;
}

/** `\0asm` and version 1. */
const magic: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const text = (name: string): Code => vector(Array.from(new TextEncoder().encode(name), (byte) => [byte]));

/** Imports `env.memory` and exports the function under its name. */
export function wasmModule({
  name,
  parameters,
  locals,
  result,
  body,
}: WasmFunction): Uint8Array<ArrayBuffer> {
  const ofType = (type: ValueType): Code => [types[type]];
  const signature = [0x60, ...vector(parameters.map(ofType)), ...vector(result ? [ofType(result)] : [])];
  const code = [...vector(locals.map((type) => [1, types[type]])), ...body, 0x0b];
  return Uint8Array.from([
    ...magic,
    ...section(1, vector([signature])),
    ...section(2, vector([[...text('env'), ...text('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...text(name), 0x00, 0x00]])),
    ...section(10, vector([[...unsigned(code.length), ...code]])),
  ]);
}
