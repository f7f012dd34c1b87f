import type { Envelope, Header } from '@parley/protocol';
import { toBase64Url } from '../src/bytes.ts';
import type { ConnectionMode, Crypto, KeyPair, OwnKeys } from '../src/index.ts';
import { type Endpoint, seeded } from './harness.ts';

/** One thing that someone did, with all the randomness it took: enough to do it again in another language. */
type Action =
  | { do: 'begin'; who: string; with: string; one_time_prekey_id?: number; random: string[] }
  | {
      do: 'seal';
      who: string;
      to: string[];
      mode: ConnectionMode;
      header: Header;
      plaintext: string;
      random: string[];
      envelope: Envelope;
    }
  | { do: 'open'; who: string; from: string; action: number; random: string[]; plaintext: string };

/** Writes down what endpoints do with fixed keys. */
export class Transcript {
  readonly actions: Action[] = [];
  readonly crypto: Crypto;
  private readonly parties = new Map<string, OwnKeys>();
  private draws: string[] = [];

  constructor(base: Crypto, name: string) {
    const source = seeded(base, name);
    this.crypto = {
      ...source,
      randomBytes: (length) => {
        const bytes = source.randomBytes(length);
        this.draws.push(toBase64Url(bytes));
        return bytes;
      },
    };
  }

  add(endpoint: Endpoint): Endpoint {
    this.parties.set(endpoint.address, endpoint.own);
    return endpoint;
  }

  begin(who: Endpoint, other: Endpoint, oneTimeId?: number): void {
    const random = this.draw(() => who.begin(other, oneTimeId));
    const id = oneTimeId === undefined ? {} : { one_time_prekey_id: oneTimeId };
    this.actions.push({ do: 'begin', who: who.address, with: other.address, ...id, random });
  }

  /** The number of the action. */
  seal(who: Endpoint, to: Endpoint[], { mode = 'websocket', text }: { mode?: ConnectionMode; text: string }): number {
    let envelope!: Envelope;
    const random = this.draw(() => {
      envelope = who.seal(text, to, { mode });
    });
    const { header } = envelope;
    const plaintext = toBase64Url(new TextEncoder().encode(text));
    const addresses = to.map(({ address }) => address);
    return (
      this.actions.push({ do: 'seal', who: who.address, to: addresses, mode, header, plaintext, random, envelope }) - 1
    );
  }

  open(who: Endpoint, from: Endpoint, action: number): void {
    const sealed = this.actions[action];
    if (sealed?.do !== 'seal') throw new Error('nothing was sealed there');
    let text = '';
    const random = this.draw(() => {
      text = who.open(sealed.envelope, from, { mode: sealed.mode });
    });
    if (text.startsWith('! ')) throw new Error(`action ${action} was refused${text.slice(1)}`);
    const plaintext = toBase64Url(new TextEncoder().encode(text));
    this.actions.push({ do: 'open', who: who.address, from: from.address, action, random, plaintext });
  }

  toJson(name: string): object {
    const parties = Object.fromEntries([...this.parties].map(([address, own]) => [address, keysToJson(own)]));
    return { name, parties, actions: this.actions };
  }

  private draw(run: () => void): string[] {
    this.draws = [];
    run();
    return this.draws;
  }
}

const pair = ({ privateKey, publicKey }: KeyPair) => ({
  private_key: toBase64Url(privateKey),
  public_key: toBase64Url(publicKey),
});
const byId = (keys: ReadonlyMap<number, KeyPair>) => [...keys].map(([key_id, key]) => ({ key_id, ...pair(key) }));

function keysToJson({ sender, identity, exchange, signedPrekeys, oneTimePrekeys }: OwnKeys) {
  return {
    sender,
    identity: pair(identity),
    exchange: pair(exchange),
    signed_prekeys: byId(signedPrekeys),
    one_time_prekeys: byId(oneTimePrekeys),
  };
}
