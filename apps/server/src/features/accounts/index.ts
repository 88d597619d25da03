export { callerOfApiKey, isPersonalKey } from './api-keys.ts';
export { isOperator, setOperator } from './operators.ts';
