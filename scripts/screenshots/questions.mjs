/** What an agent asks for. */
export async function take(stage, locale, scene) {
  const bot = await stage.bot('DemoBot', (manifest) => {
    manifest.tools[0].input_schema = { type: 'object', properties: {}, additionalProperties: true };
  });
  const person = await (await (await stage.arrive(locale)).signUp()).saveSecret();
  const { words, dialog } = person;
  const { prompt } = words.conversations;
  const id = await person.addAgent(bot);
  const zh = locale === 'zh-CN';
  await person.say(
    zh ? '帮我看看营业时间，然后发给餐厅。' : 'Look up the opening hours, and send them to the restaurant.',
  );
  await bot.agent.send(id, {
    type: 'text',
    text: zh ? '好的，我会先打开网页，再查看您的位置。' : 'Sure. I open the page first, and then look where you are.',
  });
  const ask = (tool, args = {}) => bot.agent.callTool(id, tool, args).catch(() => {});
  const url = 'https://www.example.org/opening-hours';
  const each = (name, act) =>
    scene(`${name}, ${locale}`, async () => {
      await act();
      for (let left = 5; left > 0 && (await dialog.count()); left--) {
        await person.answer(prompt.deny).catch(() => {});
        await person.pause();
      }
    });
  await each('06-question-medium', async () => {
    ask('fetch_url', { url });
    await dialog.waitFor();
    await person.pause(900);
    await person.shoot('06-question-medium');
  });
  await each('06-question-json', async () => {
    const headers = { accept: 'text/html', 'content-type': 'text/plain' };
    ask('fetch_url', { url, method: 'POST', headers, body: 'A table for two, please.' });
    await dialog.waitFor();
    await person.pause(900);
    await person.shoot('06-question-post');
    await person.button(prompt.asJson).click();
    await person.pause(900);
    await person.shoot('06-question-json');
  });
  await each('06-question-high', async () => {
    ask('read_location');
    await dialog.waitFor();
    await person.pause(900);
    await person.shoot('06-question-high');
  });
  await each('06-questions-two', async () => {
    ask('fetch_url', { url });
    ask('read_location');
    await dialog.waitFor();
    await person.pause(1_500);
    await person.shoot('06-questions-two');
  });
  await each('06-question-change', async () => {
    ask('fetch_url', {
      url: 'https://xn--pple-43d.example/a/rather/long/path/that/goes/on/and/on/for/a/while?with=many&more=things',
    });
    await dialog.waitFor();
    await person.button(prompt.remember.change).click();
    await person.pause(900);
    await person.shoot('06-question-change');
  });
  await each('06-question-elsewhere', async () => {
    await person.go('settings');
    ask('read_location');
    await dialog.waitFor();
    await person.pause(900);
    await person.shoot('06-question-elsewhere');
  });
  await person.close();
}
