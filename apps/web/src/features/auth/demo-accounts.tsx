import type { PublicConfig } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import type { Credentials } from './credentials.ts';

interface DemoAccountsProps {
  accounts: NonNullable<PublicConfig['demoAccounts']>;
  onChoose: (credentials: Credentials) => void;
}

/** The accounts of a demo on this computer; one click fills the form. */
export function DemoAccounts({ accounts, onChoose }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-accounts" className="flex flex-col gap-2 border-t pt-4">
      <h2 id="demo-accounts" className="text-sm font-medium">
        Demo accounts
      </h2>
      <p className="text-muted text-xs">On this computer alone. Choose one to fill the form.</p>
      <ul className="flex flex-col gap-1">
        {accounts.map(({ tier, email, password }) => (
          <li key={email}>
            <Button
              variant="ghost"
              size="sm"
              className="w-full justify-between px-2"
              onClick={() => onChoose({ email, password })}
            >
              <span className="capitalize">{tier}</span>
              <span className="text-muted font-normal">{email}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
