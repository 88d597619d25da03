import { useEffect, useRef, useState } from 'react';
import { Failure } from './failure.tsx';
import { loadCaptcha } from './captcha-widget.ts';
import type { CaptchaScript } from './captcha-widget.ts';
import type { CaptchaSettings } from './sign-in-ways.ts';

interface CaptchaProps {
  settings: CaptchaSettings;
  /** Hears the proof when it was given, and `undefined` when it lapsed. */
  onToken: (token: string | undefined) => void;
}

/** The widget of a captcha service. A proof counts once: give the component another key to ask for the next. */
export function Captcha({ settings: { provider, siteKey }, onToken }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const hear = useRef(onToken);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    hear.current = onToken;
  }, [onToken]);

  useEffect(() => {
    let gone = false;
    let shown: { script: CaptchaScript; widget: string } | null = null;
    const show = async () => {
      const script = await loadCaptcha(provider);
      if (gone || place.current === null) return;
      const widget = script.render(place.current, {
        sitekey: siteKey,
        theme: document.documentElement.classList.contains('dark') ? 'dark' : 'light',
        callback: (token) => hear.current(token),
        'expired-callback': () => hear.current(undefined),
        'error-callback': () => hear.current(undefined),
      });
      shown = { script, widget };
    };
    show().catch(() => setFailed(!gone));
    return () => {
      gone = true;
      shown?.script.remove(shown.widget);
    };
  }, [provider, siteKey]);

  return failed ? (
    <Failure>
      The check that you are human could not be loaded. Allow {provider} on this page and load it again.
    </Failure>
  ) : (
    // As tall as the widget, so that nothing moves when it arrives.
    <div ref={place} className="min-h-[78px]" />
  );
}
