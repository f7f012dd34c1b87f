import { readExample } from './stage.mjs';

/** Bundles, and the way back from one. */
export async function take(stage, locale, scene) {
  const person = await (await (await stage.arrive(locale)).signUp()).saveSecret();
  const { page, words, dialog } = person;
  const { undo } = words.bundles;
  const { token, id: account } = await person.token();
  await stage.makeOperator(account);
  const example = readExample('bundles/review-board/manifest.json');
  const id = `${example.id}-${locale.toLowerCase()}`;
  const manifest = { ...example, id };
  await stage.call('POST', '/bundles', { token, body: { manifest } });
  // Two bundles with the same roles do not fit into one workspace.
  const workspace = locale === 'en' ? 'desk' : 'studio';
  for (const version of ['1.0.0', '1.1.0'])
    await stage.call('POST', '/api/activate', {
      token,
      body: { manifest: { ...manifest, version }, workspace },
    });
  await page.reload();
  await person.atHome();
  for (const [name, path] of [
    ['15-bundles', 'bundles'],
    ['22-bundle', `bundles/${id}`],
    ['23-bundle-check', 'bundles#check'],
    ['23-bundle-active', 'bundles#active'],
  ])
    await scene(`${name}, ${locale}`, async () => {
      await person.go(path);
      await person.shoot(name, true);
    });
  await scene(`22-bundle-tabs, ${locale}`, async () => {
    await person.go(`bundles/${id}`);
    const tabs = page.getByRole('tab');
    for (let index = 1; index < (await tabs.count()); index++) {
      await tabs.nth(index).click();
      await person.shoot(`22-bundle-${index}`, true);
    }
  });
  await scene(`38-bundle-undo, ${locale}`, async () => {
    await person.go('bundles#active');
    await page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(undo.back.split('{{')[0]) })
      .first()
      .click();
    await dialog.getByText('AGENTS.md', { exact: true }).first().waitFor();
    await person.shoot('38-bundle-undo');
    await person.escape();
  });
  await person.close();
}
