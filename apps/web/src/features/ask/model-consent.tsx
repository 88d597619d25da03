import { modelConsent, modelRecipient } from '@cellfolio/assistant';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import type { Model } from './model-offer.ts';

const path = '/api/assistant/consent';

function consentQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['model-consent'],
    queryFn: ({ signal }) => api({ path, answer: modelConsent, signal }),
  });
}

function useSetConsent() {
  const { api } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Model & { consented: boolean }) => api({ path, body, answer: modelConsent }),
    onSuccess: (consent) => client.setQueryData(consentQuery(api).queryKey, consent),
  });
}

/** The model that a refused call needs the consent for; undefined for other errors. */
export function consentNeededFor(error: unknown): Model | undefined {
  return error instanceof ApiRefusal && error.code === 'consent_needed' ? modelOf(error) : undefined;
}

function modelOf({ details }: ApiRefusal): Model | undefined {
  return modelRecipient.safeParse(details).data;
}

/** The recipient of a question, and the way to withdraw a consent. */
export function ModelNote({ model: { provider, model, host } }: { model: Model }) {
  const { api } = useServices();
  const consent = useQuery(consentQuery(api));
  const set = useSetConsent();
  return (
    <div className="text-muted flex flex-col items-start gap-1 px-1 text-xs wrap-anywhere">
      <p>
        Your question, names of the dataset and results of the steps go to {model} ({provider}) at {host}. You
        see the plan before it runs; plan and answer cost tokens.
      </p>
      {consent.data?.consented === true && (
        <p>
          You agreed that your own data is sent there.{' '}
          <Button
            variant="link"
            size="inline"
            className="text-xs"
            disabled={set.isPending}
            onClick={() => set.mutate({ provider, model, host, consented: false })}
          >
            Withdraw
          </Button>
        </p>
      )}
      <p role="status" className="text-danger empty:hidden">
        {set.isError && `The consent was not withdrawn. ${reasonOf(set.error)}`}
      </p>
    </div>
  );
}

interface ConsentDialogProps {
  /** Closed where it is undefined. */
  model: Model | undefined;
  onAgreed: () => void;
  onCancel: () => void;
}

/** Asks whether own data may be sent to the model. */
export function ConsentDialog({ model: first, onAgreed, onCancel }: ConsentDialogProps) {
  const set = useSetConsent();
  // The operator may choose another model meanwhile: its refusal names that.
  const [changed, setChanged] = useState<Model>();
  const model = changed ?? first;
  const agree = () =>
    set.mutate(
      { ...model!, consented: true },
      {
        onSuccess: onAgreed,
        onError: (error) => {
          if (error instanceof ApiRefusal && error.code === 'model_changed') setChanged(modelOf(error));
        },
      },
    );
  return (
    <Dialog open={first !== undefined} onOpenChange={(next) => !next && onCancel()}>
      {model !== undefined && first !== undefined && (
        <DialogContent>
          <div className="pr-8">
            <DialogTitle>Send your own data to a model?</DialogTitle>
            <DialogDescription className="wrap-anywhere">
              This dataset, or columns of it, are yours alone. To answer, the server sends parts of it to
              another service.
            </DialogDescription>
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            <dt className="text-muted">Model</dt>
            <dd className="wrap-anywhere">{model.model}</dd>
            <dt className="text-muted">Provider</dt>
            <dd className="wrap-anywhere">{model.provider}</dd>
            <dt className="text-muted">Host</dt>
            <dd className="wrap-anywhere">{model.host}</dd>
            <dt className="text-muted">Sent</dt>
            <dd>Your question; names of columns, groups and genes; results of the steps that you run.</dd>
            <dt className="text-muted">Not sent</dt>
            <dd>Expression values of cells, and data of other users.</dd>
          </dl>
          <p className="text-muted text-xs">
            It holds for all your data, until you withdraw it under “Ask the model”.
          </p>
          <p role="alert" className="text-danger text-sm wrap-anywhere empty:hidden">
            {set.isError && reasonOf(set.error)}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={onCancel}>
              Cancel
            </Button>
            <Button disabled={set.isPending} onClick={agree}>
              {set.isPending && <Spinner />}
              Agree and continue
            </Button>
          </div>
        </DialogContent>
      )}
    </Dialog>
  );
}
