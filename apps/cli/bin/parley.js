#!/usr/bin/env node
import { load } from './load.js';

const { main } = await load('parley');
process.exitCode = await main(process.argv.slice(2));
