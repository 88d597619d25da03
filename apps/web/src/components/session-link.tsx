import { Link } from 'react-router';
import { useSession } from '@/lib/services.ts';
import { Button } from './ui/button.tsx';

/** Login or Account, as the session says at the moment. Its place is kept while that is not known yet. */
export function SessionLink() {
  const { status } = useSession();
  if (status === 'loading') return <div aria-hidden className="h-8 w-19" />;
  return (
    <Button asChild variant="secondary" size="sm" className="min-w-19">
      {status === 'signed-in' ? <Link to="/account">Account</Link> : <Link to="/auth">Login</Link>}
    </Button>
  );
}
