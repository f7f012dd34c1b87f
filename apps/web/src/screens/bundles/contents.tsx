import type { BundlePreview, PreviewCapability, PreviewMember } from '@parley/documents/bundle';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../parts/level.tsx';
import { WideContent } from '../../parts/wide-content.tsx';
import { Risk } from './risk.tsx';

/** Lists the roles and what they can do. The texts of a preview are already safe to show. */
export function Contents({ preview }: { readonly preview: BundlePreview }) {
  const { t } = useTranslation('bundles');
  const { members, capabilities } = preview;
  return (
    <div className="grid gap-8">
      <section className="grid gap-3">
        <h2 className="text-lg font-semibold">{t('roles')}</h2>
        <ul className="grid gap-3 sm:grid-cols-2">
          {members.map((member) => (
            <li key={member.id} className="rounded-card border bg-surface p-4">
              <Member member={member} />
            </li>
          ))}
        </ul>
      </section>
      <section className="grid gap-3">
        <h2 className="text-lg font-semibold">{t('kits')}</h2>
        {capabilities.length === 0 && <p className="text-muted">{t('kitsNone')}</p>}
        <ul className="grid gap-3 sm:grid-cols-2">
          {capabilities.map((kit) => (
            <li key={kit.kit} className="rounded-card border bg-surface p-4">
              <Kit kit={kit} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Member({ member }: { readonly member: PreviewMember }) {
  const { t } = useTranslation('bundles');
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="text-base font-semibold break-words">{member.label}</bdi>
        {member.isEntry && <Tag>{t('entry')}</Tag>}
      </p>
      {member.purpose !== '' && <bdi className="break-words">{member.purpose}</bdi>}
      {member.kits.length > 0 && <p className="text-muted">{t('usesKits', { kits: member.kits.join(', ') })}</p>}
      {member.boundaries.length > 0 && (
        <div>
          <p className="text-muted">{t('boundaries')}</p>
          <ul className="list-disc pl-5">
            {member.boundaries.map((boundary) => (
              <li key={boundary}>
                <bdi>{boundary}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Kit({ kit }: { readonly kit: PreviewCapability }) {
  const { t } = useTranslation('bundles');
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="text-base font-semibold break-words">{kit.label}</bdi>
        <Risk risk={kit.risk} />
      </p>
      {kit.description !== '' && <bdi className="break-words">{kit.description}</bdi>}
      <p className="text-muted">{t('capabilities', { capabilities: kit.capabilities.join(', ') })}</p>
      {kit.runtime !== null && <p className="text-muted">{t('runtime', { runtime: kit.runtime })}</p>}
      {kit.source !== null && (
        <p className="break-all text-muted">
          {t('source', { source: kit.source })}
          {kit.digest !== null && <code className="block font-mono text-xs">{kit.digest}</code>}
        </p>
      )}
    </div>
  );
}

const CELL = 'px-4 py-2.5 text-left align-top';

/** Lists the permissions that the kits need. */
export function Permissions({ preview }: { readonly preview: BundlePreview }) {
  const { t } = useTranslation('bundles');
  const { permissions, capabilities, risk } = preview;
  const risks = new Map(capabilities.map((kit) => [kit.kit, kit.risk]));
  const names = new Map(capabilities.map((kit) => [kit.kit, kit.label]));
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>
        <Risk risk={risk} />
      </p>
      {permissions.length === 0 ? (
        <p className="text-muted">{t('permissionsNone')}</p>
      ) : (
        <WideContent label={t('inside.permissions')}>
          <table className="w-full min-w-[40rem] text-sm">
            <thead className="border-b text-muted">
              <tr>
                {(
                  ['permissionKit', 'permissionType', 'permissionMode', 'permissionTarget', 'permissionRisk'] as const
                ).map((name) => (
                  <th key={name} scope="col" className={`${CELL} font-medium`}>
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {permissions.map((permission) => (
                <tr key={`${permission.kit} ${permission.type} ${permission.mode} ${permission.target}`}>
                  <td className={CELL}>
                    <bdi>{names.get(permission.kit) ?? permission.kit}</bdi>
                  </td>
                  <td className={CELL}>{permission.type}</td>
                  <td className={CELL}>{permission.mode}</td>
                  <td className={`${CELL} font-mono text-xs break-all`}>
                    <bdi>{permission.target}</bdi>
                  </td>
                  <td className={CELL}>
                    <Risk risk={risks.get(permission.kit) ?? 'medium'} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideContent>
      )}
    </div>
  );
}
