import type { ReactNode } from 'react';
import { use, useState } from 'react';
import { ServicesContext } from '@/lib/services.ts';
import { Captcha } from './captcha.tsx';
import { signInWays } from './sign-in-ways.ts';

export interface CaptchaState {
  /** To be shown in the form; nothing where the settings name no captcha. */
  widget: ReactNode;
  /** Whether a form may be sent. */
  ready: boolean;
  /** The proof, for one call: asks for the next. */
  take: () => string | undefined;
}

/** The captcha of a form, where the settings name one; nothing is to be sent before they are known. */
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
