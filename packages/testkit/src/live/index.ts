export { befriend } from './contacts.ts';
export { startCutProxy } from './cut-proxy.ts';
export { runStatement } from './database.ts';
export { createDatabase, type Reply, startTestServer, type TestServer } from './server.ts';
export { type Delivery, type Endpoint, signedHeaders, startWebhookHost, type WebhookHost } from './webhook-host.ts';
