import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** As much of SMTP as it takes to receive a message. */
export async function startPost() {
  const mails: string[] = [];
  const post = createServer((socket) => {
    let mail: string | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 here');
    createInterface({ input: socket }).on('line', (line) => {
      if (mail !== undefined && line !== '.') mail += `${line}\n`;
      else if (mail !== undefined) {
        mails.push(mail);
        mail = undefined;
        say('250 taken');
      } else if (line === 'DATA') {
        mail = '';
        say('354 go on');
      } else say(line === 'QUIT' ? '221 bye' : '250 fine');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve));
  return { mails, url: `smtp://127.0.0.1:${(post.address() as AddressInfo).port}`, close: () => post.close() };
}
