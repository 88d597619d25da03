import type { Owner } from '../../runtime/owners.ts';
import type { UserDocuments } from '../../runtime/user-documents.ts';
import type { recipientOf } from './model.ts';

export type Recipient = ReturnType<typeof recipientOf>;
export type ConsentDocuments = UserDocuments<Recipient>;

/** Another model, provider or host needs another consent. */
function nameOf({ provider, model, host }: Recipient): string {
  return [provider, model, host].join(' ');
}

/** Consents of users to send their own data to a model. */
export class ModelConsents {
  readonly #documents: ConsentDocuments;

  constructor(documents: ConsentDocuments) {
    this.#documents = documents;
  }

  async has(owner: Owner, recipient: Recipient): Promise<boolean> {
    return (await this.#documents.named(owner, '', nameOf(recipient))) !== undefined;
  }

  async set(owner: Owner, recipient: Recipient, consented: boolean): Promise<void> {
    const name = nameOf(recipient);
    if (consented) await this.#documents.replace(owner, { name, body: () => recipient });
    else {
      const stored = await this.#documents.named(owner, '', name);
      if (stored) await this.#documents.remove(owner, stored.id);
    }
  }
}
