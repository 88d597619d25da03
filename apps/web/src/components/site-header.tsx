import { Menu, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { cn } from '@/lib/cn.ts';
import { Logo } from './logo.tsx';
import { SessionLink } from './session-link.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { Button } from './ui/button.tsx';

const pages = [
  { to: '/features', label: 'Features' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog', label: 'Blog' },
  { to: '/contact', label: 'Contact' },
] as const;

/** The bar on top of every public page. On small screens the pages are behind a menu button. */
export function SiteHeader() {
  const menuId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  const [openOn, setOpenOn] = useState<string | null>(null);
  // Opening another page closes the menu without an effect: it was open on the page before.
  const open = openOn === pathname;
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenOn(null);
      toggle.current?.focus();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [open]);
  return (
    <header className="bg-background/92 sticky top-0 z-40 border-b backdrop-blur-sm print:hidden">
      <div className="mx-auto flex h-15 max-w-6xl items-center gap-8 px-5 md:px-8">
        <Logo />
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 md:flex">
          {pages.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className={({ isActive }) => cn(barLink, isActive && 'text-foreground')}
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeToggle />
          <SessionLink />
          <Button
            ref={toggle}
            variant="ghost"
            size="icon"
            className="-mr-2 md:hidden noscript:hidden"
            aria-expanded={open}
            aria-controls={menuId}
            aria-label={open ? 'Close menu' : 'Open menu'}
            onClick={() => setOpenOn(open ? null : pathname)}
          >
            {open ? <X aria-hidden /> : <Menu aria-hidden />}
          </Button>
        </div>
      </div>
      <nav
        id={menuId}
        aria-label="Menu"
        hidden={!open}
        className="bg-background animate-appear absolute inset-x-0 top-full border-b px-5 pt-2 pb-4 shadow-lg md:hidden"
      >
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            onClick={() => setOpenOn(null)}
            className="block border-b py-3.5 text-base font-medium last:border-b-0"
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}

const barLink =
  'text-muted hover:text-foreground rounded-md px-3 py-1.5 text-sm font-medium transition-colors';
