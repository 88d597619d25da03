import type { RenderedPage } from '../src/prerender.tsx';
import type { BuiltAssets } from './built-assets.ts';

/** Puts a rendered page into the frame that the build made of public-page.html. */
export function pageHtml(frame: string, { path, head, body }: RenderedPage, assets: BuiltAssets): string {
  const chunks = assets.chunksOf(path === '/' ? 'landing' : path.slice(1));
  const hints = [
    ...(assets.font === null
      ? []
      : [`<link rel="preload" href="/${assets.font}" as="font" type="font/woff2" crossorigin>`]),
    ...chunks
      .filter((file) => !frame.includes(`"/${file}"`))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
  return filled(filled(frame, '<!--head-->', head + hints.join('')), '<!--body-->', body);
}

function filled(text: string, place: string, content: string): string {
  if (!text.includes(place)) throw new Error(`public-page.html has no ${place}.`);
  return text.replace(place, () => content);
}
