/**
 * A script that loads the code of a page after the first paint. The page is readable without its code, so the code
 * should not compete with the fonts for bandwidth; then all files are requested at once, whatever their imports. They
 * run one after the other with pauses for the page, where one import would run all of them at once. A page that is not
 * painted, as in a background tab, loads its code with the document's load event. `entry` is the address of the page's
 * first module, `others` the addresses of its dependencies, dependencies first.
 */
export function lateCode(entry: string, others: readonly string[]): string {
  return `(${compactScript(begin)})(${JSON.stringify([...others, entry])})`;
}

// Written into the page as text: plain JavaScript, and nothing from outside.
const begin = `(files) => {
  // A timer would delay by at least four milliseconds each time.
  const pause = () => globalThis.scheduler?.postTask?.(() => {}) ?? new Promise((done) => setTimeout(done));
  const parsed = () =>
    new Promise((done) => {
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', done);
      else done();
    });
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    for (const [at, href] of files.entries()) {
      // On a phone asking for one takes up to ten milliseconds.
      if (at % 2 === 1) await pause();
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }));
    }
    for (const file of files) {
      // The last one takes over the page, of which a browser may have painted a part.
      if (file === files.at(-1)) await parsed();
      // A failed module is reported where it is imported.
      await import(file).catch((error) => console.error(error));
      await pause();
    }
  };
  const told = PerformanceObserver.supportedEntryTypes?.includes('paint') === true;
  if (told) {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) void begin();
    }).observe({ type: 'paint', buffered: true });
  }
  // Some paints are never reported. Between documents of one site browsers keep the old picture for up to 0.5 s.
  const loaded = () => (document.hidden ? void begin() : setTimeout(begin, told ? 1500 : 0));
  if (document.readyState === 'complete') loaded();
  else addEventListener('load', loaded);
  // A form that is sent before its code is there would leave the page, with what was written in it.
  addEventListener('submit', (event) => event.preventDefault());
}`;

/** A script without comments (on lines of their own) and without indentation. */
export function compactScript(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}
