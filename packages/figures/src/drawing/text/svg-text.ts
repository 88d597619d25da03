import { createRequire } from 'node:module';

export type FontStyle = 'regular' | 'italic' | 'semibold' | 'semibold-italic';

const require = createRequire(import.meta.url);

/** Inter (SIL Open Font License), from its npm package; the fonts of the machine are never used. */
export const fontFiles: Readonly<Record<FontStyle, string>> = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  italic: require.resolve('@expo-google-fonts/inter/400Regular_Italic/Inter_400Regular_Italic.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  'semibold-italic':
    require.resolve('@expo-google-fonts/inter/600SemiBold_Italic/Inter_600SemiBold_Italic.ttf'),
};

export const fontAttributes: Readonly<Record<FontStyle, string>> = {
  regular: 'font-weight="400"',
  italic: 'font-weight="400" font-style="italic"',
  semibold: 'font-weight="600"',
  'semibold-italic': 'font-weight="600" font-style="italic"',
};

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Escapes text for XML content and attributes. Drops characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (character) => entities.get(character)!)
  );
}
