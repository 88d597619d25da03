/** The pages that sign-in may redirect to, with their names in sentences: prevents an open redirect. */
const pages = new Map([
  ['/explorer', 'the explorer'],
  ['/dataset-selector', 'the dataset selector'],
  ['/upload-data', 'your data'],
  ['/account', 'your account'],
  ['/oauth/authorize', 'the page that connects an app'],
]);

const shortLink = /^\/l\/\w+$/;

export function nextPage(requested: unknown) {
  if (typeof requested !== 'string' || !URL.canParse(requested, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(requested, location.origin);
  const name = shortLink.test(pathname) ? 'the view that the link leads to' : pages.get(pathname);
  return name === undefined || origin !== location.origin
    ? null
    : { address: pathname + search + hash, name };
}
