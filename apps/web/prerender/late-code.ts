import { compactScript } from './compact-script.ts';

/**
 * A script that loads the code of a page once the page is painted. The page can be read without its code, so nothing of
 * that should share the line with the letters; then all files are asked for at once, whatever imports which. What is not
 * painted, as in a tab behind another, has its code when the document is loaded.
 *
 * @param entry Address of the module that begins the page.
 * @param others Addresses of the modules that it needs.
 */
export function lateCode(entry: string, others: readonly string[]): string {
  return `(${compactScript(begin)})(${JSON.stringify([entry, ...others])})`;
}

// Written into the page as text: plain JavaScript, and nothing from outside.
const begin = `(files) => {
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    files.forEach((file, i) => {
      const element = i === 0
        ? Object.assign(document.createElement('script'), { type: 'module', src: file })
        : Object.assign(document.createElement('link'), { rel: 'modulepreload', href: file });
      element.crossOrigin = '';
      document.head.append(element);
    });
  };
  const told = PerformanceObserver.supportedEntryTypes?.includes('paint') === true;
  if (told) {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
    }).observe({ type: 'paint', buffered: true });
  }
  // Some paints are never told. Between documents of one site browsers hold the old picture for up to half a second.
  const loaded = () => (document.hidden ? begin() : setTimeout(begin, told ? 1500 : 0));
  if (document.readyState === 'complete') loaded();
  else addEventListener('load', loaded);
  // A form that is sent before its code is there would leave the page, with what was written in it.
  addEventListener('submit', (event) => event.preventDefault());
}`;
