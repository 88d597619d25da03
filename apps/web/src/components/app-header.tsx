import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import { SkipLink } from './skip-link.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface AppHeaderProps {
  /** Called with the sign-out instead of it being done at once. */
  beforeSignOut?: (signOut: () => void) => void;
  children?: ReactNode;
}

/** The bar on top of every page of the tool, and the way past it. Children sit beside the logo. */
export function AppHeader({ beforeSignOut, children }: AppHeaderProps) {
  return (
    <>
      <SkipLink />
      <header className="bg-surface flex h-13 shrink-0 items-center gap-4 border-b px-4">
        <Logo />
        <div className="flex min-w-0 flex-1 items-center gap-4">{children}</div>
        <div className="flex items-center gap-1">
          <ThemeToggle />
          {/* There before it is known who is signed in. */}
          <div className="flex h-9 min-w-9 items-center justify-end">
            <AccountMenu beforeSignOut={beforeSignOut} />
          </div>
        </div>
      </header>
    </>
  );
}
