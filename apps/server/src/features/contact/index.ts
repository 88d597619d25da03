export { sendContactEmail } from './send-contact-email.ts';
