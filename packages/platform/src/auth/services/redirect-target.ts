const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
// These run in the page that follows them.
const scripting = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']);
const maxLength = 2_048;

/**
 * Where a link of a mail may lead: the site itself, whatever the port on loopback, or what the operator allows.
 * Anything else quietly becomes the site's own address, so that a mail of ours never sends a session elsewhere.
 */
export function allowedTarget(
  siteUrl: string,
  asked: string | undefined,
  allowList: readonly string[] = [],
): string {
  if (!asked || asked.length > maxLength || !URL.canParse(asked)) return siteUrl;
  const site = new URL(siteUrl);
  const target = new URL(asked);
  if (target.username || target.password || scripting.has(target.protocol)) return siteUrl;
  const bothLoopback = loopback.has(site.hostname) && loopback.has(target.hostname);
  const same = target.protocol === site.protocol && (bothLoopback || target.host === site.host);
  if (same) return target.href;
  // The fragment is replaced anyway, and may hold anything.
  const bare = new URL(target);
  bare.hash = '';
  return allowList.some((glob) => globFits(glob, bare.href)) ? target.href : siteUrl;
}

/** `*` stands for anything but a dot or slash, `**` for anything, `?` for one character that is neither. */
export function globFits(glob: string, address: string): boolean {
  // A pattern without a path is about the whole site's front page, which URL writes with a slash.
  const parts = glob.split(/(\*\*|\*|\?)/);
  const source = parts
    .map((part) => {
      if (part === '**') return '.*';
      if (part === '*') return '[^./]*';
      if (part === '?') return '[^./]';
      return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}/?$`, 'i').test(address);
}

/** An address with a query parameter set for each of these. */
export function withQuery(target: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(target);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}
