import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assemble } from './assemble.ts';
import { builtModules, modulesFile } from './build.ts';
import { engine, fixedMemory } from './engine.ts';

test('the assembled kernels are those of the sources (npm run kernels)', () => {
  expect(readFileSync(modulesFile, 'utf8')).toBe(builtModules());
});

function run(body: string, result = 'i32'): unknown {
  const text = `(module (import "env" "memory" (memory 0)) (func (export "f") (result ${result}) (local $a i32) ${body}))`;
  const instance = new engine.Instance(new engine.Module(assemble(text)), {
    env: { memory: fixedMemory(1) },
  });
  return (instance.exports as { f(): unknown }).f();
}

test.each([
  ['(i32.sub (i32.const 3) (i32.const 5))', 'i32', -2],
  ['(i32.const 0x7fffffff)', 'i32', 2 ** 31 - 1],
  [
    '(i32.wrap_i64 (i64.shr_u (i64.mul (i64.const 6364136223846793005) (i64.const 3)) (i64.const 32)))',
    'i32',
    150_330_503,
  ],
  [
    '(i32x4.extract_lane 0 (i8x16.shuffle 4 5 6 7 0 1 2 3 8 9 10 11 12 13 14 15 (v128.const i32x4 1 2 3 4) (v128.const i32x4 5 6 7 8)))',
    'i32',
    2,
  ],
  ['(f64.mul (f64.const 0.5) (f64.promote_f32 (f32.const 1.5)))', 'f64', 0.75],
  ['(i32.store offset=8 (i32.const 4) (i32.const 300)) (i32.load16_u (i32.const 12))', 'i32', 300],
  [
    '(block $done (loop $next (br_if $done (i32.eq (local.get $a) (i32.const 7))) (local.set $a (i32.add (local.get $a) (i32.const 1))) (br $next))) (local.get $a)',
    'i32',
    7,
  ],
  [
    '(if (i32.eqz (local.get $a)) (then (local.set $a (i32.const 1))) (else (local.set $a (i32.const 2)))) (local.get $a)',
    'i32',
    1,
  ],
])('%s is run as the text says', (body, result, expected) => {
  expect(run(body as string, result as string)).toBe(expected);
});

test.each([
  ['(local.get $b)', 'unknown local $b'],
  ['(br $out)', 'unknown label $out'],
  ['(i32.frob)', 'unknown instruction i32.frob'],
  ['(i32.const 1))', 'a parenthesis too many'],
])('%s is refused', (body, message) => {
  expect(() => run(body)).toThrow(message);
});
