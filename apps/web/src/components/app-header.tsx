import type { ReactNode } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The bar on top of every page of the tool. Children sit beside the logo. */
export function AppHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="bg-surface flex h-13 shrink-0 items-center gap-4 border-b px-4">
      <Logo />
      <div className="flex min-w-0 flex-1 items-center gap-4">{children}</div>
      <div className="flex items-center gap-1">
        <ThemeToggle />
        <AccountMenu />
      </div>
    </header>
  );
}
