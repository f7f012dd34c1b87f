// @ts-check
import { createServer } from 'node:http';
import { toNodeHandler } from '@parley/agent/webhook';
import agent from './agent.mjs';
import { stop } from './settings.mjs';
import { words } from './words.mjs';

const { HOST: host = '127.0.0.1', PORT: port = '8080' } = process.env;

createServer(toNodeHandler(agent.fetch))
  .on('error', (error) => stop(words.notStarted(error.message)))
  .listen(Number(port), host, () => console.log(words.listening(`http://${host}:${port}/`)));
