const HEADINGS = [
  ['major', 'Breaking'],
  ['minor', 'Added and changed'],
  ['patch', 'Fixed'],
];
const UNRELEASED = /^## \[Unreleased\]\n+[^#]*/m;

/**
 * A release as a section of the changelog: what changes said about themselves, the most important first.
 *
 * @param {readonly { summary: string, releases: readonly { type: string }[] }[]} changesets
 */
export function renderSection(version, date, changesets) {
  const parts = HEADINGS.flatMap(([type, heading]) => {
    const items = changesets.filter((changeset) => weigh(changeset) === type).map(renderItem);
    return items.length === 0 ? [] : [`### ${heading}\n\n${items.join('\n')}`];
  });
  return `## [${version}] - ${date}\n\n${parts.join('\n\n')}\n`;
}

/** All packages have one version, so the heaviest of what a change says about any of them counts. */
const weigh = ({ releases }) =>
  HEADINGS.map(([type]) => type).find((type) => releases.some((release) => release.type === type));

const renderItem = ({ summary }) => `- ${summary.trim().replaceAll(/\n(?=[^\n])/g, '\n  ')}`;

/** Puts a section right below the one of what is not released yet. */
export function addSection(changelog, section) {
  if (!UNRELEASED.test(changelog)) throw new Error('CHANGELOG.md has no section [Unreleased].');
  return changelog.replace(UNRELEASED, (unreleased) => `${unreleased.trimEnd()}\n\n${section}\n`);
}
