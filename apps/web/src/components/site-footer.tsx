import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from './logo.tsx';

const groups: readonly { title: string; links: readonly { to?: string; label: string }[] }[] = [
  {
    title: 'Product',
    links: [
      { to: '/features', label: 'Features' },
      { to: '/pricing', label: 'Pricing' },
      { to: '/dataset-selector', label: 'Datasets' },
      { to: '/demo', label: 'Demo' },
    ],
  },
  // There is no page about the company yet.
  { title: 'Company', links: [{ label: 'About' }] },
  { title: 'Blog', links: [{ to: '/blog', label: 'All articles' }] },
  {
    title: 'Support',
    links: [
      { to: '/contact', label: 'Contact' },
      { to: '/consulting', label: 'Consulting' },
    ],
  },
];

export function SiteFooter() {
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
