// @ts-check
import { createServer } from 'node:http';
import { toNodeHandler } from '@parley/agent/webhook';
import agent from './agent.mjs';
import { stop } from './settings.mjs';
import { words } from './words.mjs';

const { hostname, fetch } = agent;
const { PORT: port = '8080' } = process.env;

// It never rejects.
const handle = toNodeHandler(fetch);
const server = createServer((request, response) => void handle(request, response));
server.on('error', (error) => {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  stop(isTaken ? words.portTaken(port) : words.notStarted(error.message));
});
server.listen(Number(port), hostname, () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(words.listening(`http://${hostname}:${address.port}/`));
});
