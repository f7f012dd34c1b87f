#!/usr/bin/env node
const { load } = require('./load.js');

load('roleos')
  .runRoleos(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
