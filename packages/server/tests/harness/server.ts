export { createDatabase, type Reply, startTestServer, type TestServer } from '@parley/testkit/live';
