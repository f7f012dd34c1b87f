import { randomBytes } from 'node:crypto';

/** What someone sees who is not signed in. */
export async function take(stage, locale, scene) {
  const person = await stage.arrive(locale);
  const { page, words } = person;
  const fragment = () => randomBytes(32).toString('base64url');
  await person.open();
  await person.button(words.signIn.toCreate).waitFor();
  await person.shoot('01-sign-in');
  const operator = new URL(stage.server.operatorLink);
  for (const [name, path] of [
    ['02-operator', operator.pathname + operator.hash],
    ['02-invitation-over', `/app/sign-up#${fragment()}`],
    ['02-reset-password', `/app/reset-password#${fragment()}`],
    ['02-reset-without-link', '/app/reset-password'],
  ])
    await scene(`${name}, ${locale}`, async () => {
      await page.goto('about:blank');
      await page.goto(stage.server.url + path);
      await person.pause(1_200);
      await person.shoot(name, true);
      await page.evaluate(() => sessionStorage.clear());
    });
  await scene(`02-forgotten, ${locale}`, async () => {
    await person.open();
    await person.button(words.signIn.toForgotten).click();
    await person.shoot('02-forgotten', true);
  });
  await scene(`02-sign-up, ${locale}`, async () => {
    await person.open();
    await person.fillSignUp();
    await person.shoot('02-sign-up');
  });
  await person.close();
}
