import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';
import { bundleRisk, kitRisk } from './risk.ts';
import { computeRoutes, type Routes } from './routes.ts';
import type { Bundle, FileAction, Kit, Permission, RiskLevel, Role } from './types.ts';

const MAX_LABEL = 80;
const MAX_TEXT = 400;
const MAX_DESCRIPTION = 4_000;

export interface PreviewFile {
  readonly path: string;
  readonly action: FileAction;
}

export interface PreviewMember {
  readonly id: string;
  readonly label: string;
  readonly purpose: string;
  readonly isEntry: boolean;
  readonly kits: string[];
  readonly boundaries: string[];
}

export interface PreviewCapability {
  readonly kit: string;
  readonly label: string;
  readonly description: string;
  readonly capabilities: string[];
  readonly risk: RiskLevel;
  readonly runtime: string | null;
  /** Where the content comes from, and the digest that locks it. */
  readonly source: string | null;
  readonly digest: string | null;
}

export interface PreviewPermission {
  readonly kit: string;
  readonly type: string;
  readonly target: string;
  readonly mode: string;
}

/** The preview of a bundle (BA-1). Its texts are fit to be shown as plain text; they are not Markdown and not HTML. */
export interface BundlePreview {
  readonly headline: string;
  readonly description: string;
  readonly members: PreviewMember[];
  readonly capabilities: PreviewCapability[];
  readonly risk: RiskLevel;
  readonly entryRole: string;
  readonly files: PreviewFile[];
  readonly permissions: PreviewPermission[];
  readonly routes: Routes;
  readonly planDigest: string;
}

export interface PreviewInput {
  /** The files of the projection plan, which is made elsewhere. */
  readonly files: readonly PreviewFile[];
  readonly planDigest: string;
  readonly locale?: Locale;
}

/** Collects what a person should know before a valid bundle is activated. */
export function previewBundle(bundle: Bundle, { files, planDigest, locale = 'en' }: PreviewInput): BundlePreview {
  const routes = computeRoutes(bundle);
  const kits = bundle.kits ?? [];
  const risk = bundleRisk(bundle);
  return {
    headline: writeHeadline(bundle, risk, locale),
    description: displayText(bundle.description ?? '', MAX_DESCRIPTION),
    members: bundle.roles.map((role) => previewRole(role, routes.entryRole)),
    capabilities: kits.map(previewKit),
    risk,
    entryRole: routes.entryRole,
    files: files.map(({ path, action }) => ({ path: displayText(path, MAX_TEXT), action })),
    permissions: kits.flatMap((kit) => (kit.permissions ?? []).map((permission) => previewPermission(kit, permission))),
    routes,
    planDigest,
  };
}

function writeHeadline(bundle: Bundle, risk: RiskLevel, locale: Locale): string {
  const texts = PREVIEW_TEXTS[locale];
  return fillText(texts.headline, {
    name: displayText(bundle.name, MAX_LABEL),
    version: displayText(bundle.version, MAX_LABEL),
    roles: bundle.roles.length,
    kits: bundle.kits?.length ?? 0,
    teams: bundle.teams?.length ?? 0,
    risk: texts.risks[risk],
  });
}

function previewRole(role: Role, entry: string): PreviewMember {
  return {
    id: role.id,
    label: displayText(role.label, MAX_LABEL),
    purpose: displayText(role.purpose ?? role.description ?? '', MAX_TEXT),
    isEntry: role.id === entry,
    kits: [...(role.kits ?? [])],
    boundaries: (role.boundaries ?? []).map((text) => displayText(text, MAX_TEXT)),
  };
}

function previewKit(kit: Kit): PreviewCapability {
  const { source, digest } = kit.mirror ?? {};
  return {
    kit: kit.id,
    label: displayText(kit.label, MAX_LABEL),
    description: displayText(kit.description ?? '', MAX_TEXT),
    capabilities: kit.capabilities.map((text) => displayText(text, MAX_LABEL)),
    risk: kitRisk(kit),
    runtime: kit.runtime ?? null,
    source: source === undefined ? null : displayText(source, MAX_TEXT),
    digest: digest ?? null,
  };
}

function previewPermission(kit: Kit, { type, target, mode }: Permission): PreviewPermission {
  const [shownType, shownMode] = [displayText(type, MAX_LABEL), displayText(mode, MAX_LABEL)];
  return { kit: kit.id, type: shownType, target: displayText(target, MAX_TEXT), mode: shownMode };
}
