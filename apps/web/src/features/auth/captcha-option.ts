/** The proof of a captcha, in the form in which calls take it; nothing where none was asked for. */
export function captchaOption(captcha: string | undefined): { options?: { captchaToken: string } } {
  return captcha === undefined ? {} : { options: { captchaToken: captcha } };
}
