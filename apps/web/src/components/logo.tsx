import { Link } from 'react-router';
import { LogoMark } from './logo-mark.tsx';

/** The mark and the name; links home. */
export function Logo() {
  return (
    <Link
      to="/"
      className="flex items-center gap-2 rounded-md text-[15px] font-semibold tracking-tight"
      aria-label="Cellfolio home"
    >
      <LogoMark className="size-6" />
      Cellfolio
    </Link>
  );
}
