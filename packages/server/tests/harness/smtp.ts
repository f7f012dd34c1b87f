import { createServer, type Server } from 'node:net';

interface ReceivedMail {
  readonly to: string;
  readonly data: string;
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Refuses every recipient from now on. */
  break(): void;
  close(): Promise<void>;
}

/** As much of RFC 5321 as it takes to receive a message. */
export async function startSmtp(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  let broken = false;
  const server: Server = createServer((socket) => {
    let to = '';
    let data: string | undefined;
    let rest = '';
    const reply = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data !== undefined) {
        if (line !== '.') {
          data += `${line}\n`;
          return;
        }
        mails.push({ to, data });
        data = undefined;
        reply('250 taken');
      } else if (/^RCPT TO:/i.test(line)) {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        reply(broken ? '550 no' : '250 ok');
      } else if (/^DATA/i.test(line)) {
        data = '';
        reply('354 go on');
      } else if (/^QUIT/i.test(line)) {
        reply('221 bye');
        socket.end();
      } else reply('250 ok');
    };
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) take(line);
    });
    reply('220 ready');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    break: () => {
      broken = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
