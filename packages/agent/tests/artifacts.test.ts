import { describe, expect, it } from 'vitest';
import { CONVERSATION, Fake } from './harness/fake.ts';

const last = (fake: Fake) => fake.sent.at(-1)!.payload as { artifact: Record<string, unknown> };

describe('SK-2 sendArtifact', () => {
  const call = { call_id: 'c1', tool_name: 'fetch_url', arguments: { url: 'https://a.com' } };
  const onTheWire = { subtype: 'tool_call', ...call, permission_scope: 'network:http', timeout_ms: 10_000 };

  it.each([
    ['flat', { artifact: { subtype: 'tool_call' as const, ...call } }],
    ['flat without a wrapper', { subtype: 'tool_call' as const, ...call }],
    [
      'nested, as the guide prints it',
      { artifact: { artifact_id: 'c1', subtype: 'tool_call' as const, payload: call } },
    ],
    ['with its own scope and time', { artifact: { ...onTheWire, subtype: 'tool_call' as const } }],
  ])('SK-2 a tool call in the %s form is the same on the wire', async (_, input) => {
    const fake = await Fake.start();
    const sent = await fake.agent.sendArtifact(CONVERSATION, input);
    expect(last(fake)).toEqual({ type: 'artifact', artifact: onTheWire });
    expect(sent).toMatchObject({ artifact_id: 'c1', message_id: expect.any(String), conversation_seq: 1 });
  });

  it('SK-2 ids that are missing are made', async () => {
    const fake = await Fake.start();
    await fake.agent.sendArtifact(CONVERSATION, { subtype: 'tool_call', tool_name: 'read_location' });
    expect(last(fake).artifact).toMatchObject({ call_id: expect.stringMatching(/^[0-9a-f-]{36}$/), arguments: {} });
    const { artifact_id } = await fake.agent.sendArtifact(CONVERSATION, { subtype: 'status' });
    expect(last(fake).artifact).toEqual({ artifact_id, subtype: 'status', blocks: [] });
  });

  it('SK-2 a tool nobody declared cannot be filled in', async () => {
    const fake = await Fake.start();
    const sending = fake.agent.sendArtifact(CONVERSATION, { subtype: 'tool_call', tool_name: 'read_mind' });
    await expect(sending).rejects.toThrow('not in the agent’s manifest');
    expect(fake.sent).toHaveLength(0);
  });

  it('TC-10 what every receiver would refuse is refused here', async () => {
    const fake = await Fake.start();
    const blocks = Array.from({ length: 17 }, () => ({ tag: 'divider' as const }));
    await expect(fake.agent.sendArtifact(CONVERSATION, { subtype: 'form', blocks })).rejects.toThrow(TypeError);
    await expect(fake.agent.sendArtifact(CONVERSATION, { subtype: 'movie' as never })).rejects.toThrow(
      'artifact.subtype',
    );
    const text = 'x'.repeat(19_000);
    const large = Array.from({ length: 4 }, () => ({ tag: 'text' as const, text }));
    await expect(fake.agent.sendArtifact(CONVERSATION, { subtype: 'status', blocks: large })).rejects.toThrow('64 KB');
    await expect(fake.agent.send(CONVERSATION, { type: 'text', text: 'x'.repeat(100_001) })).rejects.toThrow(TypeError);
    expect(fake.sent).toHaveLength(0);
  });
});

describe('SK-1 updateArtifact', () => {
  it('TC-10 the revision rises, what is left out stays', async () => {
    const fake = await Fake.start();
    const { artifact_id } = await fake.agent.sendArtifact(CONVERSATION, {
      subtype: 'progress',
      title: 'Copy',
      progress: 0,
    });
    await Promise.all([
      fake.agent.updateArtifact(CONVERSATION, artifact_id, { progress: 0.5 }),
      fake.agent.updateArtifact(CONVERSATION, artifact_id, { progress: 1 }),
    ]);
    expect(fake.sent.slice(1).map(({ payload }) => (payload as { artifact: unknown }).artifact)).toEqual([
      { artifact_id, subtype: 'progress', title: 'Copy', blocks: [], progress: 0.5, revision: 2 },
      { artifact_id, subtype: 'progress', title: 'Copy', blocks: [], progress: 1, revision: 3 },
    ]);
  });

  it('TC-1 the subtype never changes, the revision never falls and ends at 100', async () => {
    const fake = await Fake.start();
    const { artifact_id } = await fake.agent.sendArtifact(CONVERSATION, { subtype: 'form' });
    const update = (changes: object) => fake.agent.updateArtifact(CONVERSATION, artifact_id, changes);
    await expect(update({ subtype: 'status' })).rejects.toThrow('subtype');
    await expect(update({ revision: 1 })).rejects.toThrow('must rise');
    await update({ revision: 100 });
    await expect(update({ title: 'more' })).rejects.toThrow('at most 100');
  });

  it('TC-10 a change that no receiver would take is not remembered', async () => {
    const fake = await Fake.start();
    const { artifact_id } = await fake.agent.sendArtifact(CONVERSATION, { subtype: 'form', title: 'Order' });
    const update = (changes: object) => fake.agent.updateArtifact(CONVERSATION, artifact_id, changes);
    await expect(update({ title: 7 })).rejects.toThrow(TypeError);
    await update({ progress: 1 });
    expect(last(fake).artifact).toMatchObject({ title: 'Order', progress: 1, revision: 2 });
  });

  it('SK-1 a card of another process needs to be told whole', async () => {
    const fake = await Fake.start();
    await expect(fake.agent.updateArtifact(CONVERSATION, 'old', { title: 'x' })).rejects.toThrow('another process');
    await fake.agent.updateArtifact(CONVERSATION, 'old', { subtype: 'status', blocks: [], revision: 5 });
    expect(last(fake).artifact).toMatchObject({ artifact_id: 'old', revision: 5 });
  });
});

describe('SK-1 send', () => {
  it('SK-1 attachments are given as bytes or base64', async () => {
    const fake = await Fake.start();
    const file = { type: 'file', name: 'a.bin', mime_type: 'application/octet-stream' } as const;
    await fake.agent.send(CONVERSATION, { ...file, data: new Uint8Array([255, 254, 253, 252]) });
    expect(fake.sent[0]!.payload).toEqual({ ...file, data: '//79/A==' });
    await fake.agent.send(CONVERSATION, { ...file, data: '//79/A==' }, { clientMessageId: 'mine' });
    expect(fake.sent[1]).toMatchObject({ clientMessageId: 'mine', payload: { data: '//79/A==' } });
  });
});
