import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { themeStore } from '@/lib/theme.ts';
import type { Theme } from '@/lib/theme.ts';
import { Button } from './ui/button.tsx';

export function SkipLink() {
  return (
    <a
      href="#content"
      onClick={(event) => {
        const content = document.getElementById('content');
        if (content === null) return;
        // The address stays: in the tool it holds the state of the view.
        event.preventDefault();
        content.focus();
      }}
      className="bg-surface text-foreground sr-only z-50 rounded-md border px-4 py-2 text-sm font-medium shadow-lg focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}

export function Logo() {
  return (
    <Link
      to="/"
      className="flex items-center gap-2 rounded-md text-[15px] font-semibold tracking-tight"
      aria-label="Cellfolio home"
    >
      <LogoMark className="size-6" />
      Cellfolio
    </Link>
  );
}

/** A cell with its nucleus, and a C. Decoration next to the name. The favicon (public/favicon.svg) is the same. */
function LogoMark(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden {...props}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M21.8 9.9A8.4 8.4 0 1 0 21.8 22.1"
        fill="none"
        strokeWidth="3.6"
        strokeLinecap="round"
        className="stroke-accent-foreground"
      />
      <circle cx="18.6" cy="16" r="3.1" className="fill-accent-foreground" />
    </svg>
  );
}

const next: Record<Theme, Theme> = { light: 'dark', dark: 'system', system: 'light' };
const renderedBeforehand = (): Theme => 'system';

const icons = { light: Sun, dark: Moon, system: Monitor };

/** Cycles through light, dark and system. A plain button: a menu would double the size of the sign-in page. */
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

export function HeaderLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="text-muted hover:text-foreground rounded-md text-[13px] font-medium whitespace-nowrap transition-colors"
    >
      {children}
    </Link>
  );
}
