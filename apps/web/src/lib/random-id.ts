/** 128 random bits in hexadecimal. Works on plain http too, where `crypto.randomUUID` does not exist. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
