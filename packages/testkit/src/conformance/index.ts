export { CLIENT_CASES, type ClientCase } from './cases.ts';
export type { ClientUnderTest, ConnectClient, Executed, WantedExecutor } from './client.ts';
