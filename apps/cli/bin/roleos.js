#!/usr/bin/env node
import { runRoleos } from '../dist/roleos/main.js';

process.exitCode = await runRoleos(process.argv.slice(2));
