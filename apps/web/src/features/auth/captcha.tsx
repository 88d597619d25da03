import { use, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ServicesContext } from '@/lib/services.ts';
import { signInWays } from './auth-calls.ts';
import type { CaptchaSettings } from './auth-calls.ts';
import { Failure } from './form-parts.tsx';

export interface CaptchaState {
  widget: ReactNode;
  ready: boolean;
  /** Takes the token for one call and requests the next. */
  take: () => string | undefined;
}

/** The captcha of a form, if configured; the form cannot be sent before the settings are known. */
export function useCaptcha(): CaptchaState {
  const config = use(ServicesContext)?.config;
  const settings = config ? signInWays(config).captcha : null;
  const [token, setToken] = useState<string>();
  const [round, setRound] = useState(0);
  if (settings === null) return { widget: null, ready: config !== undefined, take: () => undefined };
  return {
    widget: <Captcha key={round} settings={settings} onToken={setToken} />,
    ready: token !== undefined,
    take: () => {
      setToken(undefined);
      setRound((last) => last + 1);
      return token;
    },
  };
}

interface CaptchaProps {
  settings: CaptchaSettings;
  onToken: (token: string | undefined) => void;
}

/** The widget of a captcha service. A token is valid once: change the component's key to request another. */
function Captcha({ settings: { provider, siteKey }, onToken }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const handler = useRef(onToken);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    handler.current = onToken;
  }, [onToken]);

  useEffect(() => {
    let isUnmounted = false;
    let shown: { script: CaptchaScript; widget: string } | null = null;
    const show = async () => {
      const script = await loadCaptcha(provider);
      if (isUnmounted || place.current === null) return;
      const widget = script.render(place.current, {
        sitekey: siteKey,
        theme: document.documentElement.classList.contains('dark') ? 'dark' : 'light',
        callback: (token) => handler.current(token),
        'expired-callback': () => handler.current(undefined),
        'error-callback': () => handler.current(undefined),
      });
      shown = { script, widget };
    };
    show().catch(() => setFailed(!isUnmounted));
    return () => {
      isUnmounted = true;
      shown?.script.remove(shown.widget);
    };
  }, [provider, siteKey]);

  return failed ? (
    <Failure>The captcha could not be loaded. Allow {provider} on this page, then reload it.</Failure>
  ) : (
    // As tall as the widget, so that loading it shifts no layout.
    <div ref={place} className="min-h-[78px]" />
  );
}

interface WidgetOptions {
  sitekey: string;
  theme: 'light' | 'dark';
  callback: (token: string) => void;
  'expired-callback': () => void;
  'error-callback': () => void;
}

/** Both services provide one object of this shape. */
interface CaptchaScript {
  render(container: HTMLElement, options: WidgetOptions): string;
  remove(widget: string): void;
}

/** Script of each service, loaded only if configured. */
const scripts = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
} as const;

const loading = new Map<string, Promise<CaptchaScript>>();

/** Loads the script once; a failed load is retried by the next call. */
function loadCaptcha(provider: CaptchaSettings['provider']): Promise<CaptchaScript> {
  const cached = loading.get(provider);
  if (cached !== undefined) return cached;
  const load = new Promise<CaptchaScript>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scripts[provider];
    script.async = true;
    script.addEventListener('load', () => {
      const captcha = (window as unknown as Partial<Record<string, CaptchaScript>>)[provider];
      if (captcha === undefined) reject(new Error(`The ${provider} script did not start.`));
      else resolve(captcha);
    });
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`The ${provider} script could not be loaded.`));
    });
    document.head.append(script);
  });
  loading.set(provider, load);
  load.catch(() => loading.delete(provider));
  return load;
}
