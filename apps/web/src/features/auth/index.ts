export { authAnswer, callbackPage, signInWays } from './auth-calls.ts';
export { CodeForm } from './code-form.tsx';
export { Failure, SubmitButton } from './form-parts.tsx';
export { PasswordForm, checkNewPassword, newPasswordFields } from './password-form.tsx';
export type { NewPassword } from './password-form.tsx';
