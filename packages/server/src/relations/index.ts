import type { Router } from '../http/routes.ts';
import type { Platform } from '../platform.ts';

export function registerRelations(_router: Router, _platform: Platform): void {}
