export { recipientOf } from './model.ts';
