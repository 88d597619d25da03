import { Menu, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { cn } from '@/lib/cn.ts';
import { docsPath } from '@/lib/docs.ts';
import { useSession } from '@/lib/services.ts';
import { Logo, SkipLink, ThemeToggle } from './header-parts.tsx';
import { Button } from './ui/button.tsx';

export function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SiteHeader />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

const pages = [
  { to: '/features', label: 'Features' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog', label: 'Blog' },
  { to: '/contact', label: 'Contact' },
] as const;

function SiteHeader() {
  const menuId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  const [openOn, setOpenOn] = useState<string | null>(null);
  // Navigation closes the menu without an effect: it is open for one path only.
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

/** Login or Account. Its space is reserved until the session is known. */
function SessionLink() {
  const { status } = useSession();
  if (status === 'loading') return <div aria-hidden className="h-8 w-19" />;
  return (
    <Button asChild variant="secondary" size="sm" className="min-w-19">
      {status === 'signed-in' ? <Link to="/account">Account</Link> : <Link to="/auth">Login</Link>}
    </Button>
  );
}

const groups: readonly { title: string; links: readonly { to?: string; label: string }[] }[] = [
  {
    title: 'Product',
    links: [
      { to: '/features', label: 'Features' },
      { to: '/pricing', label: 'Pricing' },
      { to: '/dataset-selector', label: 'Datasets' },
      { to: '/demo/explorer', label: 'Demo' },
    ],
  },
  // There is no page about the company yet.
  { title: 'Company', links: [{ label: 'About' }] },
  { title: 'Blog', links: [{ to: '/blog', label: 'All articles' }] },
  {
    title: 'Support',
    links: [
      { to: docsPath, label: 'Docs' },
      { to: '/contact', label: 'Contact' },
      { to: '/consulting', label: 'Consulting' },
    ],
  },
];

function SiteFooter() {
  return (
    <footer className="border-t print:hidden">
      <div className="mx-auto grid max-w-6xl gap-10 px-5 py-14 sm:grid-cols-[1.6fr_3fr] md:px-8">
        <div className="flex flex-col items-start gap-3">
          <Logo />
          <p className="text-muted max-w-[28ch] text-pretty">
            Single-cell RNA data, open to anyone who can name a gene.
          </p>
        </div>
        <div className="grid grid-cols-2 gap-8 md:grid-cols-4">
          {groups.map(({ title, links }) => (
            <FooterGroup key={title} title={title}>
              {links.map(({ to, label }) => (
                <li key={label}>
                  {to === undefined ? (
                    <span className="text-muted">{label}</span>
                  ) : (
                    <Link
                      to={to}
                      reloadDocument={to === docsPath}
                      className="text-muted hover:text-foreground -my-1 inline-block rounded-sm py-1 underline-offset-4 hover:underline"
                    >
                      {label}
                    </Link>
                  )}
                </li>
              ))}
            </FooterGroup>
          ))}
        </div>
      </div>
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-x-8 gap-y-1 px-5 pb-10 md:px-8">
        <p className="text-muted text-[13px]">© 2025 Cellfolio</p>
        <p className="text-muted text-[13px]">San Diego, California</p>
      </div>
    </footer>
  );
}

function FooterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title} className="flex flex-col gap-3">
      <h2 className="font-medium">{title}</h2>
      <ul className="flex flex-col gap-2">{children}</ul>
    </nav>
  );
}
