#!/usr/bin/env node
const { load } = require('./load.js');

load('parley')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
