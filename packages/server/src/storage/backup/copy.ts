import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

// COPY for `pg`, which speaks it on the wire but offers no function for it.

interface Wire {
  readonly stream: NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const ignore = () => {};
const UNUSED = {
  handleRowDescription: ignore,
  handleDataRow: ignore,
  handlePortalSuspended: ignore,
  handleEmptyQuery: ignore,
  handleCommandComplete: ignore,
  handleCopyData: ignore,
};

const submit = (client: pg.ClientBase, query: object) => void client.query(query as unknown as pg.Submittable);

/** `copy … to stdout`. Applies backpressure. */
export function copyOut(client: pg.ClientBase, text: string): Readable {
  let wire: Wire | undefined;
  const rows = new Readable({ read: () => void wire?.stream.resume() });
  submit(client, {
    ...UNUSED,
    submit: (given: Wire) => {
      wire = given;
      given.query(text);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The chunk is a view of a buffer that is reused.
      if (!rows.push(Buffer.from(chunk))) wire?.stream.pause();
    },
    handleError: (error: Error) => rows.destroy(error),
    handleReadyForQuery: () => rows.push(null),
  });
  return rows;
}

/** `copy … from stdin`. */
export function copyIn(client: pg.ClientBase, text: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const feed = async (wire: Wire): Promise<void> => {
      for await (const chunk of chunks) {
        if (failure !== undefined) return;
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
      }
      wire.endCopyFrom();
    };
    submit(client, {
      ...UNUSED,
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) =>
        void feed(wire).catch((error) => {
          failure = error;
          wire.sendCopyFail('the source failed');
        }),
      handleError: (error: unknown) => {
        failure ??= error;
        reject(failure);
      },
      handleReadyForQuery: () => resolve(),
    });
  });
}
