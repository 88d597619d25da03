import { CircleUser, LogOut } from 'lucide-react';
import { Link } from 'react-router';
import { toast } from 'sonner';
import { useServices, useSession } from '@/lib/services.ts';
import { Button } from './ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './ui/dropdown-menu.tsx';

/** Login when signed out; who is signed in, and Sign out, otherwise. */
export function AccountMenu() {
  const session = useSession();
  const { auth } = useServices();
  if (session.status === 'loading') return <div className="h-8 w-20" aria-hidden />;
  if (session.status === 'signed-out') {
    return (
      <Button asChild variant="secondary" size="sm">
        <Link to="/auth">Login</Link>
      </Button>
    );
  }
  const signOut = async () => {
    const { error } = await auth.signOut();
    if (error)
      toast.error('Error', { description: error.message || 'Signing out failed. Please try again.' });
  };
  return (
    // Not modal: the page stays readable for screen readers while this small menu is open.
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Signed in as ${session.user.email}`}>
          <CircleUser aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>
          Signed in as <span className="text-foreground block font-medium">{session.user.email}</span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
