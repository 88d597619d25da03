import { type ReactNode, useMemo } from 'react';
import { cn } from '@/lib/cn.ts';
import { useSession } from '@/lib/services.ts';
import type { SignedInUser } from '@/lib/session-store.ts';
import { AppHeader } from './app-header.tsx';
import { HeaderLink } from './header-parts.tsx';
import { Spinner } from './ui/spinner.tsx';
import { Navigate, useLocation } from 'react-router';
import { signedOutByChoice } from '@/lib/end-lost-session.ts';

interface SignedInPageProps {
  title: string;
  /** Text under the title; `null` until the user is known. */
  lead: (user: SignedInUser | null) => ReactNode;
  links: readonly { to: string; label: string }[];
  aside?: ReactNode;
  /** Shown until the session is known. */
  intro?: ReactNode;
  className?: string;
  children: (user: SignedInUser) => ReactNode;
}

export function SignedInPage({ title, lead, links, aside, intro, className, children }: SignedInPageProps) {
  const session = useSession();
  if (session.status === 'signed-out') return <ToSignIn />;
  const user = session.status === 'signed-in' ? session.user : null;
  const pages = links.map(({ to, label }) => (
    <HeaderLink key={to} to={to}>
      {label}
    </HeaderLink>
  ));
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Cellfolio`}</title>
      <AppHeader>
        <div className="flex gap-4 max-sm:hidden">{pages}</div>
      </AppHeader>
      <main
        id="content"
        tabIndex={-1}
        className={cn(
          'mx-auto flex w-full max-w-5xl flex-1 flex-col gap-4 px-4 py-6 outline-none lg:py-8',
          className,
        )}
      >
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
          <div className="min-w-0">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            <p className="text-muted min-h-5.25 wrap-anywhere">{lead(user)}</p>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <div className="flex gap-4 sm:hidden">{pages}</div>
            {aside}
          </div>
        </div>
        {intro}
        {user === null ? (
          <p role="status" className="text-muted flex items-center gap-2">
            <Spinner />
            Loading...
          </p>
        ) : (
          // A change of account remounts the page: no input or data of one account stays for the next.
          <div key={user.id} className="flex flex-col gap-4">
            {children(user)}
          </div>
        )}
      </main>
    </div>
  );
}

/** Redirects to sign-in, and from there back to this page unless the user signed out here. */
export function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  const next = signedOutByChoice() ? null : pathname + search + hash;
  // A new state object is a new navigation: one per render would repeat it while the page loads.
  const state = useMemo(() => ({ next }), [next]);
  return <Navigate to="/auth" replace state={state} />;
}
