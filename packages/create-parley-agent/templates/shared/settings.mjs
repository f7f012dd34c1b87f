// @ts-check
import { words } from './words.mjs';

/**
 * Reads a setting from the environment, where `npm start` puts what is in .env.
 *
 * @param {string} name
 * @returns {string}
 */
export function readSetting(name) {
  return process.env[name] || stop(words.missing(name));
}

/**
 * Ends the process with a sentence instead of a stack trace.
 *
 * @param {string} reason
 * @returns {never}
 */
export function stop(reason) {
  console.error(reason);
  process.exit(1);
}
