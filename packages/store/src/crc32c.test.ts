import { expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';

test('the checksum is that of the published check values', () => {
  // RFC 3720, appendix B.4, and the usual check string of CRC catalogues.
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
});
