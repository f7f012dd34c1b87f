import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

export interface AuthenticatorOptions {
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
}

/** A passkey in software (WebAuthn level 2, section 6): ES256, attestation "none". */
export class Authenticator {
  readonly id = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  create(challenge: string, options: AuthenticatorOptions = {}): object {
    this.counter++;
    const attested = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, coseKey(this.keys.publicKey)]);
    const authData = Buffer.concat([this.header(options, ATTESTED), attested]);
    const attestationObject = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    const clientDataJSON = clientData('webauthn.create', challenge, options);
    return this.credential({ clientDataJSON: encode(clientDataJSON), attestationObject: encode(attestationObject) });
  }

  get(challenge: string, options: AuthenticatorOptions = {}): object {
    this.counter++;
    const authenticatorData = this.header(options, 0);
    const clientDataJSON = clientData('webauthn.get', challenge, options);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.keys.privateKey);
    return this.credential({
      clientDataJSON: encode(clientDataJSON),
      authenticatorData: encode(authenticatorData),
      signature: encode(signature),
    });
  }

  private header({ rpId = 'localhost', flags = USER_PRESENT | USER_VERIFIED }: AuthenticatorOptions, more: number) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | more]), counter]);
  }

  private credential(response: object): object {
    const id = encode(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, challenge: string, { origin = 'http://localhost:8484' }: AuthenticatorOptions) {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** RFC 9053, 7.1.1: EC2, ES256, P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x!, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y!, 'base64url'))],
  ]);
}

/** RFC 8949, 3: the three bits of the major type, then the argument in as few bytes as it needs (up to 65535 here). */
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(argument)]);
}
const cborInteger = (value: number) => (value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
const encode = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
