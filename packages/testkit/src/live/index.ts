export { createDatabase, type Reply, startTestServer, type TestServer } from './server.ts';
