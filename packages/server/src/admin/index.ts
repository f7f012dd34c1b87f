import type { Router } from '../http/routes.ts';
import type { Platform } from '../platform.ts';

export function registerAdmin(_router: Router, _platform: Platform): void {}
