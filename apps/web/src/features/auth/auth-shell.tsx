import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { Logo, SkipLink, ThemeToggle } from '@/components/header-parts.tsx';

interface AuthShellProps {
  title: string;
  heading: string;
  lead?: ReactNode;
  /** Below the card; default: a link back to sign-in. */
  footer?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of the pages around sign-in: one centred card. Its top is fixed, so that later additions (demo accounts, a
 * message) shift nothing above.
 */
export function AuthShell({ title, heading, lead, footer, children }: AuthShellProps) {
  return (
    <div data-grows className="flex min-h-dvh flex-col">
      <title>{`${title} · Cellfolio`}</title>
      <SkipLink />
      <header className="flex items-center justify-between p-4">
        <Logo />
        <ThemeToggle />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-sm flex-1 flex-col gap-6 px-4 pt-[max(0.5rem,calc(50dvh-22rem))] pb-8 outline-none"
      >
        <div className="flex flex-col gap-1 text-center">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">{heading}</h1>
          {lead !== undefined && <p className="text-muted text-pretty wrap-anywhere">{lead}</p>}
        </div>
        <div className="bg-surface shadow-card flex flex-col gap-5 rounded-lg border p-6">{children}</div>
        {footer ?? <QuietLink to="/auth">Back to sign in</QuietLink>}
      </main>
    </div>
  );
}

export function QuietLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="text-muted hover:text-foreground self-center text-sm underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}

/** The email typed on the previous page: passed in the history state, not in the URL. */
export function useCarriedEmail(): string {
  const state: unknown = useLocation().state;
  return typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';
}
