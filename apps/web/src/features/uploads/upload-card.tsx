import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { Link } from 'react-router';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { isProfessional, subscriptionKey, useSubscription } from '@/features/billing/index.ts';
import { UploadForm } from './upload-form.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploadQueue } from './queue/use-upload-queue.ts';

export function UploadCard({ userId }: { userId: string }) {
  const subscription = useSubscription();
  const queryClient = useQueryClient();
  const { queue, items } = useUploadQueue(userId);
  const allowed = isProfessional(subscription);
  return (
    <Card aria-labelledby="upload-new-file">
      <CardHeader>
        <CardTitle id="upload-new-file">Upload New File</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {subscription.failed ? (
          <Alert variant="warning" role="alert" className="items-center justify-between">
            Your plan could not be checked, so nothing can be uploaded now.
            <Button
              variant="secondary"
              size="sm"
              onClick={() => void queryClient.invalidateQueries({ queryKey: subscriptionKey })}
            >
              Try again
            </Button>
          </Alert>
        ) : (
          !subscription.loading &&
          !allowed && (
            <Alert variant="warning" role="status">
              <Lock aria-hidden />
              <div>
                <p className="font-medium">Professional Plan Required</p>
                <p>
                  Custom data upload is part of the Professional plan.{' '}
                  <Link to="/pricing" className="rounded font-medium underline underline-offset-4">
                    Upgrade Now
                  </Link>
                </p>
              </div>
            </Alert>
          )
        )}
        <UploadForm
          userId={userId}
          queue={queue}
          items={items}
          gate={subscription.loading ? 'checking' : allowed ? 'open' : 'closed'}
        />
        <UploadList queue={queue} items={items} resumable={allowed} />
      </CardContent>
    </Card>
  );
}
