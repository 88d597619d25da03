import type { CaptchaSettings } from './sign-in-ways.ts';

interface WidgetOptions {
  sitekey: string;
  theme: 'light' | 'dark';
  callback: (token: string) => void;
  'expired-callback': () => void;
  'error-callback': () => void;
}

/** Both services put one object of this shape on the page. */
export interface CaptchaScript {
  render(container: HTMLElement, options: WidgetOptions): string;
  remove(widget: string): void;
}

/** Where the settings name a captcha, and only there, its service is asked for its script. */
const scripts = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
} as const;

const loading = new Map<string, Promise<CaptchaScript>>();

/** Loads the script once; a load that failed is tried again by the next. */
export function loadCaptcha(provider: CaptchaSettings['provider']): Promise<CaptchaScript> {
  const known = loading.get(provider);
  if (known !== undefined) return known;
  const load = new Promise<CaptchaScript>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scripts[provider];
    script.async = true;
    script.addEventListener('load', () => {
      const found = (window as unknown as Partial<Record<string, CaptchaScript>>)[provider];
      if (found === undefined) reject(new Error(`The script of ${provider} did not start.`));
      else resolve(found);
    });
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`The script of ${provider} could not be loaded.`));
    });
    document.head.append(script);
  });
  loading.set(provider, load);
  load.catch(() => loading.delete(provider));
  return load;
}
