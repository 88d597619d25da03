import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Theme } from '@/lib/theme.ts';
import { themeStore } from '@/lib/theme.ts';
import { Button } from './ui/button.tsx';

const next: Record<Theme, Theme> = { light: 'dark', dark: 'system', system: 'light' };
/** A page that was rendered beforehand was rendered for no choice. */
const renderedBeforehand = (): Theme => 'system';

const icons = { light: Sun, dark: Moon, system: Monitor };

/** Steps through light, dark, and what the system says. A plain button: a menu would double the sign-in page. */
export function ThemeToggle() {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get, renderedBeforehand);
  const Icon = icons[theme];
  const label = `Theme: ${theme}. Change to ${next[theme]}.`;
  return (
    <Button
      variant="ghost"
      size="icon"
      className="noscript:hidden"
      aria-label={label}
      title={label}
      onClick={() => themeStore.set(next[theme])}
    >
      <Icon aria-hidden />
    </Button>
  );
}
