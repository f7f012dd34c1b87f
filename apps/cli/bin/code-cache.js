const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

/** Names end with a hash of what is in the file, so that what was kept of it can never belong to another text. */
const HASHED = /-[\w-]{8}\.cjs$/;
const PARAMETERS = 'exports, require, module, __filename, __dirname';

/**
 * Loads the files of one folder as `require` does, but with the machine code that V8 kept of them when they were built:
 * half of the time of a start is compiling. Another V8 than the one of the build refuses it and compiles as ever.
 */
exports.createLoader = (folder) => {
  hideWarning('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER');
  const modules = new Map();
  const scripts = new Map();
  const load = (file) => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const script = compile(file);
    scripts.set(file, script);
    const elsewhere = createRequire(file);
    const require = (name) => (name.startsWith('./') ? load(join(folder, name)) : elsewhere(name));
    script
      .runInThisContext()
      .call(module.exports, module.exports, Object.assign(require, elsewhere), module, file, dirname(file));
    return module.exports;
  };
  const keep = () => {
    for (const [file, script] of scripts)
      if (HASHED.test(file)) writeFileSync(cacheOf(file), script.createCachedData());
  };
  return { load, keep };
};

/** Node says of what we compile with that it is experimental, which is nothing for whoever runs a command. */
function hideWarning(feature) {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith(feature)) emitWarning.call(process, warning, ...rest);
  };
}

const cacheOf = (file) => `${file}.cache`;

function compile(file) {
  const text = `(function (${PARAMETERS}) { ${readFileSync(file, 'utf8')}\n})`;
  return new vm.Script(text, {
    filename: pathToFileURL(file).href,
    cachedData: readCache(file),
    // Modules of the person's own, and the server's, are imported as everywhere.
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

function readCache(file) {
  try {
    return HASHED.test(file) ? readFileSync(cacheOf(file)) : undefined;
  } catch {
    return undefined;
  }
}
