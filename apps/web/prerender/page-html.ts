import type { RenderedPage } from '../src/prerender.tsx';
import type { BuiltAssets } from './built-assets.ts';

/**
 * Puts a rendered page into the frame that the build made of public-page.html. What holds up the first paint is written
 * into the page, so that it waits for nothing else: its style sheet, and the script that sets the theme (the server
 * allows that one by its hash).
 */
export function pageHtml(frame: string, { path, head, body }: RenderedPage, assets: BuiltAssets): string {
  const chunks = assets.chunksOf(path === '/' ? 'landing' : path.slice(1));
  const hints = [
    ...(assets.font === null
      ? []
      : [`<link rel="preload" href="/${assets.font}" as="font" type="font/woff2" crossorigin>`]),
    ...chunks
      .filter((file) => !frame.includes(`"/${file}"`))
      .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`),
  ];
  const changes: [RegExp, string][] = [
    [/<!--head-->/, head + hints.join('')],
    [/<script src="\/boot.js"><\/script>/, `<script>${assets.bootScript}</script>`],
    [/<link rel="stylesheet"[^>]*>/, `<style>${assets.styles}</style>`],
    [/<!--body-->/, body],
    // The page is there without its code: letters and figures go first.
    [/<(script type="module"|link rel="modulepreload") crossorigin/g, '<$1 fetchpriority="low" crossorigin'],
  ];
  return changes.reduce((text, [place, content]) => {
    if (!place.test(text)) throw new Error(`The frame of public pages has nothing like ${place}.`);
    return place.global ? text.replace(place, content) : text.replace(place, () => content);
  }, frame);
}
