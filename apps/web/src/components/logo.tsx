import { Link } from 'react-router';

/** The mark and the name; links home. */
export function Logo() {
  return (
    <Link
      to="/"
      className="flex items-center gap-2 rounded-md text-[15px] font-semibold tracking-tight"
      aria-label="Cellfolio home"
    >
      <svg viewBox="0 0 32 32" className="size-6" aria-hidden>
        <rect width="32" height="32" rx="7" className="fill-accent" />
        <g className="fill-accent-foreground">
          <circle cx="11" cy="12" r="4.5" />
          <circle cx="21.5" cy="10" r="3" />
          <circle cx="20" cy="20.5" r="5" />
          <circle cx="10.5" cy="22" r="2.5" />
        </g>
      </svg>
      Cellfolio
    </Link>
  );
}
