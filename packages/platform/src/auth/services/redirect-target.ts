const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Where a link of a mail may lead: the site itself, whatever the port on loopback. Anything else quietly
 * becomes the site's own address, so that a mail of ours never sends a session elsewhere.
 */
export function allowedTarget(siteUrl: string, asked: string | undefined): string {
  if (!asked || !URL.canParse(asked)) return siteUrl;
  const site = new URL(siteUrl);
  const target = new URL(asked);
  const bothLoopback = loopback.has(site.hostname) && loopback.has(target.hostname);
  const same = target.protocol === site.protocol && (bothLoopback || target.host === site.host);
  return same && !target.username && !target.password ? target.href : siteUrl;
}
