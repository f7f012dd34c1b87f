/** The pages beside conversations: people, settings, and where nothing is. */
export async function take(stage, locale, scene) {
  const person = await (await stage.arrive(locale)).signUp();
  const { page, dialog } = person;
  const code = await makePeople(stage, person);
  for (const [name, path] of [
    ['10-permissions-none', 'permissions'],
    ['11-audit-none', 'audit'],
    ['12-settings', 'settings'],
    ['13-device', 'device?user_code=ABCDEFGH'],
    ['17-nowhere', 'nowhere'],
    ['50-contacts', 'contacts'],
    ['51-contact-link', `contact/${code}`],
  ])
    await scene(`${name}, ${locale}`, async () => {
      await person.go(path);
      await person.shoot(name, true);
    });
  await scene(`12-settings-profile, ${locale}`, async () => {
    await person.go('settings');
    await person.shoot('12-settings-profile');
    await page.getByRole('main').getByRole('button').last().click();
    await dialog.waitFor();
    await person.shoot('33-delete-account');
    await person.escape();
  });
  await scene(`36-more, ${locale}`, async () => {
    await person.go('');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('nav:visible button').click();
    await page.getByRole('menu').waitFor();
    await person.shoot('36-more');
    await page.keyboard.press('Escape');
  });
  await person.close();
}

/** What a person sees of others: one who asks, one who is known, one who is blocked, and one who was asked. */
async function makePeople({ call, register }, person) {
  const { token } = await person.token();
  const { code } = await call('GET', '/contacts/code', { token });
  const meet = async (name) => {
    const { token: theirs } = await register(name);
    return { token: theirs, code: (await call('GET', '/contacts/code', { token: theirs })).code };
  };
  const acceptNewest = async () => {
    const { incoming } = await call('GET', '/contacts/requests', { token });
    return call('POST', `/contacts/requests/${incoming[0].request_id}/accept`, { token, body: {} });
  };
  for (const name of ['Grace Hopper', 'Charles Babbage']) {
    const known = await meet(name);
    await call('POST', '/contacts/requests', { token: known.token, body: { code } });
    const { user_id } = await acceptNewest();
    if (name.startsWith('Charles')) await call('POST', '/contacts/blocked', { token, body: { user_id } });
  }
  const asking = await meet('Mary Somerville');
  await call('POST', '/contacts/requests', { token: asking.token, body: { code } });
  const asked = await meet('Michael Faraday');
  await call('POST', '/contacts/requests', { token, body: { code: asked.code } });
  return (await meet('Annabella Byron')).code;
}
