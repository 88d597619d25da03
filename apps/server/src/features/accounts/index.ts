export { callerOfApiKey } from './api-keys.ts';
export { isOperator, setOperator } from './operators.ts';
