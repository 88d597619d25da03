export const codeLength = 6;

/** The digits of what was typed or pasted, no more than a code has. */
export function cleanCode(text: string): string {
  return text.replace(/\D/g, '').slice(0, codeLength);
}
