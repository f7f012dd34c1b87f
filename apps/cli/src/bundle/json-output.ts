import type { Locale } from '@parley/base';
import type { ShadowPreview } from '@parley/bundles';
import { describeConflict } from '@parley/bundles';
import type { Origin } from './registry.ts';

// The only mapping from the types of the libraries to what `--json` prints, which has the names of the protocol (9.2, BA-1).

export function toPreviewJson(
  { reply, plan, missing, upgrade }: ShadowPreview,
  { locale, origin }: { locale: Locale; origin: Origin | undefined },
) {
  return {
    preview: reply.preview,
    markdown: reply.markdown,
    missing,
    conflicts: plan.conflicts.map((conflict) => ({ ...conflict, message: describeConflict(conflict, locale) })),
    origin: origin ?? null,
    replaces: plan.replaces,
    upgrade: upgrade === null ? null : { consent: upgrade.consent, changes: upgrade.changes },
  };
}
