/** The part of autocannon that is used here; it comes without types. */
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }
    interface Options {
      readonly url: string;
      readonly connections: number;
      readonly duration?: number;
      readonly overallRate?: number;
      /** Total calls of all connections, after which it ends. */
      readonly amount?: number;
      /** Milliseconds. */
      readonly sampleInt?: number;
      readonly timeout: number;
      readonly setupClient: (client: Client) => void;
    }
    interface Running extends PromiseLike<{ readonly errors: number; readonly timeouts: number }> {
      on(
        event: 'response',
        listener: (client: Client, status: number, bytes: number, milliseconds: number) => void,
      ): this;
      on(event: 'tick', listener: () => void): this;
    }
  }
  function autocannon(options: autocannon.Options): autocannon.Running;
  export default autocannon;
}
