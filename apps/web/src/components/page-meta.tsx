import { useLocation } from 'react-router';

interface PageMetaProps {
  /** Without the name of the site. */
  title: string;
  description: string;
  image?: string;
  type?: 'website' | 'article';
}

/** Metadata of a public page for search engines and shared links; one on each. */
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

/** Placeholder for the origin of the site in prerendered pages; the server fills it in. */
export const originPlaceholder = 'https://site-url.invalid';

let cachedOrigin: string | null = null;

/** Origin of the site as stated in its pages, so that hydration matches the prerendered page. */
function siteOrigin(): string {
  if (typeof document === 'undefined') return originPlaceholder;
  if (cachedOrigin === null) {
    const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
    cachedOrigin = canonical === undefined ? location.origin : new URL(canonical).origin;
  }
  return cachedOrigin;
}
