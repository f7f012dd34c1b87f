import { findPackage } from '@parley/base/node';

/** This package, with what it ships in `dist`: the same in a clone as where it is installed (docs/decisions/0023). */
export const OWN_PACKAGE = findPackage(import.meta.url);
