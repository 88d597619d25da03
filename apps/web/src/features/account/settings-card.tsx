import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Failure } from '@/features/auth/index.ts';

interface SettingsCardProps {
  title: string;
  about?: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}

export function SettingsCard({ title, about, aside, children }: SettingsCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader className="px-5 pt-4 pb-1">
        <CardTitle id={id} className="text-[15px]">
          {title}
        </CardTitle>
        {aside}
      </CardHeader>
      <CardContent className="flex flex-col gap-4 px-5 pb-5">
        {about !== undefined && <p className="text-muted max-w-prose text-[13px] text-pretty">{about}</p>}
        {children}
      </CardContent>
    </Card>
  );
}

interface ListStatesProps {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching' | 'refetch'>;
  what: string;
}

export function ListStates({ query, what }: ListStatesProps) {
  if (!query.isError) {
    return (
      <div role="status" aria-label={`Loading ${what}`}>
        <Skeleton className="h-10" />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Failure>
        Your {what} could not be loaded: {query.error?.message}
      </Failure>
      <Button variant="secondary" size="sm" disabled={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}
