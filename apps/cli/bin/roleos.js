#!/usr/bin/env node
import { load } from './load.js';

const { runRoleos } = await load('roleos');
process.exitCode = await runRoleos(process.argv.slice(2));
