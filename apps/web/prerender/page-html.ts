import type { RenderedPage } from '../src/prerender.tsx';
import type { BuiltAssets } from './built-assets.ts';
import { compactScript, lateCode } from './late-code.ts';

/**
 * Puts a rendered page into its built frame. Everything that blocks the first paint is inlined: the style sheet, and
 * the script that sets the theme. The code of the page follows after the paint. (The server allows both scripts by
 * their hashes.)
 */
export function pageHtml({ path, head, body }: RenderedPage, assets: BuiltAssets): string {
  const font = `<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>`;
  const code = lateCode(assets.entry, assets.modulesOf(path));
  const changes: [RegExp, string][] = [
    [/<title>[^<]*<\/title>|<!--head-->/, head + font],
    [
      /<script src="\/boot.js"><\/script>/,
      `<script>${compactScript(assets.bootScript)}</script><script>${code}</script>`,
    ],
    [/<link rel="stylesheet"[^>]*>/, `<style>${assets.styles}</style>`],
    [/(?<=<div id="root">)(<!--body-->)?(?=<\/div>)/, body],
  ];
  return changes.reduce((text, [place, content]) => {
    if (!place.test(text)) throw new Error(`The frame of ${path} has nothing like ${place}.`);
    return text.replace(place, () => content);
  }, assets.frame);
}
