import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const OPEN_FILES = 700;
/** The rest is for files, the database and webhooks. */
const MAX_CONNECTIONS = 500;
const CONNECTIONS = 1_500;
/** Another address than the innocent's: an address has a share of the connections (OP-7). */
const FROM = '127.0.0.66';

export const CONNECTION_ATTACKS = [
  {
    name: 'connections',
    item: 7,
    title: `${CONNECTIONS} slow connections to a server with ${OPEN_FILES} open files`,
    server: { openFiles: OPEN_FILES, settings: { PARLEY_MAX_CONNECTIONS: String(MAX_CONNECTIONS) } },
    guardsNewcomers: true,
    prepare: async () => undefined,
    run: async ({ url, isOver, count }) => {
      const { port } = new URL(url);
      const open = new Set();
      const dial = () => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: FROM });
        open.add(socket);
        socket.on('connect', () => count('connected'));
        socket.on('error', () => {});
        socket.on('data', () => count('answered'));
        socket.on('close', () => {
          open.delete(socket);
          count('closed');
        });
        socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n');
      };
      for (let dialled = 0; !isOver(); ) {
        for (let burst = 0; burst < 100 && open.size < CONNECTIONS && dialled < 10 * CONNECTIONS; burst++, dialled++)
          dial();
        for (const socket of open) if (!socket.connecting && socket.writable) socket.write('x: y\r\n');
        await sleep(200);
      }
      for (const socket of open) socket.destroy();
    },
  },
];
