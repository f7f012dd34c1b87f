export { endRelationsOf, endRelationsOfAccount, restoreRelationsOf, suspendRelationsOf } from './end.ts';
export { noteModeWeakened } from './mode.ts';
export { noteManifestChange } from './reauth.ts';
export { registerRelations } from './routes.ts';
