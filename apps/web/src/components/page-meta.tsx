import { useLocation } from 'react-router';

interface PageMetaProps {
  /** Without the name of the site. */
  title: string;
  description: string;
  /** Address of the picture shown where the page is shared, 1200 × 630; that of the site where none is given. */
  image?: string;
  type?: 'website' | 'article';
}

/** What search engines and shared links show of a public page; one on each. */
export function PageMeta({ title, description, image = '/share.png', type = 'website' }: PageMetaProps) {
  const { pathname } = useLocation();
  const origin = siteOrigin();
  const address = origin + (pathname === '/' ? '/' : pathname.replace(/\/+$/, ''));
  const name = title === 'Cellfolio' ? title : `${title} · Cellfolio`;
  return (
    <>
      <title>{name}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:site_name" content="Cellfolio" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={new URL(image, origin).href} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** Stands for the address of the site in pages that were rendered when it was built; the server fills it in. */
export const originPlaceholder = 'https://site-url.invalid';

let known: string | null = null;

/** Origin of the site as its own pages give it, so that what is rendered here is what was rendered beforehand. */
function siteOrigin(): string {
  if (typeof document === 'undefined') return originPlaceholder;
  if (known === null) {
    const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
    known = canonical === undefined ? location.origin : new URL(canonical).origin;
  }
  return known;
}
