import { expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';

/** Bit by bit, as the polynomial is defined (RFC 3720, section 12.1). */
function defined(bytes: Uint8Array): number {
  let c = 0xffff_ffff;
  for (const byte of bytes) {
    c ^= byte;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0x82f6_3b78 : c >>> 1;
  }
  return (c ^ 0xffff_ffff) >>> 0;
}

function noise(length: number): Uint8Array {
  let state = length + 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

test('the checksum is that of the published check values', () => {
  // RFC 3720, appendix B.4, and the usual check string of CRC catalogues.
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
});

test('it is as defined for every number of bytes around those that are folded at a time', () => {
  const lengths = [...Array(40).keys()].flatMap((i) => [i, 440 + i, 16_384 + 190 + i, 32_768 + 420 + i]);
  for (const length of [...lengths, 131_072, 300_001]) {
    const bytes = noise(length);
    expect([length, crc32c(bytes)]).toEqual([length, defined(bytes)]);
  }
});

test('a flipped bit anywhere is seen', () => {
  const bytes = noise(40_000);
  const whole = crc32c(bytes);
  for (let at = 0; at < bytes.length; at += 97) {
    bytes[at]! ^= 1 << (at & 7);
    expect(crc32c(bytes)).not.toBe(whole);
    bytes[at]! ^= 1 << (at & 7);
  }
});
