/** A link that leads to nothing that can be fetched. */
export class LinkFailed extends Error {
  override readonly name = 'LinkFailed';
  /** It is no page of data, there is nothing behind it, or what is there cannot be read. */
  readonly reason: 'no-page' | 'not-found' | 'unreadable';

  constructor(reason: LinkFailed['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
