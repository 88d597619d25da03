import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A page named in the bar of the tool. */
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
