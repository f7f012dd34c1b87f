// @ts-check
import { createServer } from 'node:http';
import { toNodeHandler } from '@parley/agent/webhook';
import agent from './agent.mjs';
import { stop } from './settings.mjs';
import { words } from './words.mjs';

const { HOST: host = '127.0.0.1', PORT: port = '8080' } = process.env;

// It never rejects.
const handle = toNodeHandler(agent.fetch);
const server = createServer((request, response) => void handle(request, response));
server.on('error', (error) => {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  stop(isTaken ? words.portTaken(port) : words.notStarted(error.message));
});
server.listen(Number(port), host, () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(words.listening(`http://${host}:${address.port}/`));
});
