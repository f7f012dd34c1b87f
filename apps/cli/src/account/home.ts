import { findParleyHome } from '@parley/base/node';

export const parleyHome = (): string => findParleyHome(process.env);
