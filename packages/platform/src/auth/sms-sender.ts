/** Delivers one text message, or throws. `to` is in E.164 without the plus: digits only. */
export interface SmsSender {
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}
