import { MANIFEST, readExample } from './stage.mjs';

const TABS = ['overview', 'manifest', 'history', 'tokens', 'events'];
let made = 0;

/** One's own agents and skills. */
export async function take(stage, locale, scene) {
  const person = await (await (await stage.arrive(locale)).signUp()).saveSecret();
  const { page, words, dialog } = person;
  const { developer } = words;
  const { token } = await person.token();
  const main = page.locator('main');
  await scene(`30-create-agent, ${locale}`, async () => {
    await person.go('developer');
    await person.shoot('14-developer-none', true);
    await person.button(developer.create).first().click();
    await dialog.waitFor();
    await person.shoot('30-create-agent');
    await page.getByLabel(developer.name, { exact: true }).fill('Weather');
    await person.button(developer.create, dialog).click();
    await page.getByTestId('secret').waitFor();
    await person.shoot('32-new-token');
    await page.keyboard.press('Escape');
    await page.getByText(words.parts.oneTime.asked, { exact: true }).waitFor();
    await person.shoot('32-new-token-asked');
    await person.button(words.parts.secretKept).click();
    await page.getByRole('heading', { name: developer.makers.connect, exact: true }).waitFor();
    await person.shoot('32-snippet');
    await person.shoot('32-snippet-whole', true);
  });
  const { agent_id: agent } = await stage.call('POST', '/agents', {
    token,
    body: { name: 'Helper', description: '', visibility: 'public', capability_manifest: MANIFEST },
  });
  await person.go('');
  for (const [name, path] of [
    ['14-developer', 'developer'],
    ...TABS.map((tab) => [`21-own-${tab}`, `developer/${agent}#${tab}`]),
  ])
    await scene(`${name}, ${locale}`, async () => {
      await person.go(path);
      await person.shoot(name, true);
    });
  await scene(`21-own-webhook, ${locale}`, async () => {
    await person.go(`developer/${agent}#webhook`);
    await person.shoot('21-own-webhook-none', true);
    await page.getByLabel(developer.url, { exact: true }).fill(`${stage.pageUrl}/hook`);
    await person.button(developer.urlSave).click();
    await page.getByTestId('secret').waitFor();
    await person.button(words.parts.secretKept).click();
    await person.shoot('21-own-webhook-untried', true);
    await person.button(developer.hookTest).click();
    await page.getByText(developer.outcome.failing, { exact: true }).waitFor();
    await person.shoot('21-own-webhook-failing', true);
    stage.heal(true);
    await person.button(developer.hookTest).click();
    await page.getByText(developer.outcome.answers, { exact: true }).waitFor();
    await person.shoot('21-own-webhook-answers', true);
  });
  stage.heal(false);
  await scene(`37-unsaved, ${locale}`, async () => {
    await person.go(`developer/${agent}#manifest`);
    const editor = page.locator('.cm-content').first();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify({ ...MANIFEST, agent_version: '9.0.0' }, null, 2));
    await person.button(words.parts.unsaved.discard).waitFor();
    await person.shoot('37-unsaved');
    await stage.call('PATCH', `/agents/${agent}`, {
      token,
      body: { capability_manifest: { ...MANIFEST, agent_version: '1.1.0' } },
    });
    await page.reload();
    await page.getByText(developer.conflictTitle, { exact: true }).waitFor();
    await person.shoot('37-unsaved-conflict', true);
    await person.button(words.parts.unsaved.discard).first().click();
    await dialog.waitFor();
    await person.shoot('37-unsaved-discard');
    await person.escape();
  });
  await scene(`31-delete-agent, ${locale}`, async () => {
    await person.go(`developer/${agent}#overview`);
    await main.getByRole('button').last().click();
    await dialog.waitFor();
    await person.shoot('31-delete-agent');
    await person.escape();
  });
  await scene(`24-skills, ${locale}`, async () => {
    made++;
    const namespace = `org.example${made > 1 ? made : ''}`;
    await stage.call('POST', '/skill-namespaces', { token, body: { namespace } });
    const skill = readExample('skills/translate.json');
    const id = `${namespace}.translate`;
    for (const version of ['1.0.0', '2.0.0']) {
      const inputs = version === '2.0.0' ? skill.inputs.slice(0, 1) : skill.inputs;
      await stage.call('POST', '/skills', { token, body: { ...skill, id, version, inputs } });
    }
    for (const [name, path] of [
      ['16-skills', 'skills'],
      ...['about', 'try', 'call', 'versions', 'people'].map((tab) => [`24-skill-${tab}`, `skills/${id}#${tab}`]),
      ['25-skill-publish', 'skills#publish'],
      ['26-namespaces', 'skills#namespaces'],
    ]) {
      await person.go(path);
      await person.shoot(name, true);
    }
  });
  await person.close();
}
