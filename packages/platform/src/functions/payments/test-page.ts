import { createHash } from 'node:crypto';
import { escapeHtml } from '../../auth/mail/account-mails.ts';

export interface TestPage {
  readonly title: string;
  readonly lines: readonly string[];
  /** The one button; it sends the token back to the address of the page. */
  readonly action?: { readonly token: string; readonly label: string };
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center;background:#f6f7f8;color:#1a1c1e}
main{background:#fff;border:1px solid #d9dce0;border-radius:12px;padding:32px;max-width:28rem;box-sizing:border-box}
h1{font-size:1.375rem;margin:16px 0 8px}
p{margin:8px 0;overflow-wrap:anywhere}
.mark{display:inline-block;background:#fdf0c8;color:#5c4400;border-radius:6px;padding:4px 12px;font-weight:600}
button{font:inherit;font-weight:600;margin-top:16px;padding:12px 24px;border:0;border-radius:8px;background:#1f5fbf;color:#fff;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid #7fb0ff;outline-offset:2px}
a{color:#1f5fbf}
@media (prefers-color-scheme:dark){
body{background:#111315;color:#e8eaed}main{background:#1a1d20;border-color:#33383d}a{color:#8ab4f8}
}`;

/** Nothing is loaded and nothing runs; the one form leads back to the page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  // The address holds the token.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A page that cannot be taken for a real payment; all that comes from outside is escaped. */
export function testPage({ title, lines, action }: TestPage, accountUrl: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)} (test mode)</title><style>${style}</style></head><body><main>`,
    '<p class="mark">Test mode: no money is taken</p>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(action
      ? [
          '<form method="post">',
          `<input type="hidden" name="token" value="${escapeHtml(action.token)}">`,
          `<button>${escapeHtml(action.label)}</button></form>`,
        ]
      : []),
    `<p><a href="${escapeHtml(accountUrl)}">Back to your account</a></p>`,
    '</main></body></html>',
  ].join('\n');
}
