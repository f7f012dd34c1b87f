import { createAgent, signUp } from '../../parties.mjs';
import { ask, createPatient, withDatabase } from '../client.mjs';

const TOOLS = 120;
/** Of the agent with many versions. */
const FEW_TOOLS = 40;
const PUSHES = 250;
const PEOPLE = 40;

/** A manifest whose tools differ from version to version, of about 150 KB. */
function makeManifest(version, tools = TOOLS) {
  const properties = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`field_${index}`, { type: 'string', maxLength: 100 + index + version }]),
  );
  return {
    schema_version: '1.0',
    agent_version: `1.0.${version}`,
    capability_flags: { supports_group_chat: true },
    tools: Array.from({ length: tools }, (_, index) => ({
      name: `tool_${index}`,
      description_i18n_key: `own.tools.${index}`,
      description_fallback: { en: `Does thing ${index} as of version ${version}.`, 'zh-CN': '做一件事。' },
      input_schema: { type: 'object', properties, additionalProperties: false },
      permission_scope: 'network:http',
      timeout_ms: 10_000,
    })),
    permission_scopes: [
      {
        id: 'network:http',
        label_i18n_key: 'own.http',
        sensitivity: 'medium',
        label_fallback: { en: 'Web', 'zh-CN': '网络' },
      },
    ],
  };
}

async function push({ url, address, count }, { agent, token, tools }, version) {
  const body = { capability_manifest: makeManifest(version, tools) };
  count(await ask(url, 'PATCH', `/agents/${agent.id}`, { token, address, body }));
}

async function prepareAgent({ call }) {
  const person = await signUp(call, 'Mallory');
  const agent = await createAgent(call, person, 'Own');
  return { person, agent };
}

export const MANIFEST_ATTACKS = [
  {
    name: 'pushes',
    item: 3,
    title: `${PUSHES} pushes of one agent at once`,
    prepare: prepareAgent,
    run: async (context, { person, agent }) => {
      let version = 1;
      // The owner first, then the agent itself: each has limits of its own.
      for (const token of [person.token(), agent.token()]) {
        if (context.isOver()) return;
        await Promise.all(Array.from({ length: PUSHES }, () => push(context, { agent, token }, ++version)));
      }
    },
  },
  {
    name: 'old-versions',
    item: 3,
    title: `pushes of an agent with ${PEOPLE} versions that people still agree to`,
    prepare: async (context) => {
      const { call, url, databaseUrl } = context;
      const state = await prepareAgent(context);
      for (let version = 1; version <= PEOPLE; version++) {
        const body = { capability_manifest: makeManifest(version, FEW_TOOLS) };
        await call('PATCH', `/agents/${state.agent.id}`, { token: state.person.token, body, timeout: 30_000 });
      }
      for (let number = 1; number <= PEOPLE; number++) {
        // From an address of their own, as people do: registering is limited by address.
        const theirs = createPatient(url, `198.18.0.${number}`);
        const other = await signUp(theirs, `Person ${number}`);
        const relation = { agent_id: state.agent.id, granted_scopes: ['network:http'] };
        await theirs('POST', '/h2a/relations', { token: other.token, body: relation });
      }
      await withDatabase(databaseUrl, (client) => spreadAgreements(client, state.agent.id));
      return state;
    },
    run: async (context, { person, agent }) => {
      let version = 1_000;
      const pushOn = async () => {
        const pushed = { agent, token: person.token(), tools: FEW_TOOLS };
        while (!context.isOver() && version < 1_200) await push(context, pushed, ++version);
      };
      await Promise.all(Array.from({ length: 10 }, pushOn));
    },
  },
];

/** As if each had agreed to another version: pushing forty with as many people would use up the budget of diffs. */
async function spreadAgreements(client, agentId) {
  await client.query(
    `update h2a_relations set agreed_version = agreed.version, agreed_hash = agreed.hash
     from (select m.version, m.hash, r.id from
         (select version, hash, row_number() over (order by version) as place from agent_manifests where agent_id = $1) m
         join (select id, row_number() over (order by id) as place from h2a_relations where agent_id = $1) r
         using (place)) as agreed
     where h2a_relations.id = agreed.id`,
    [agentId],
  );
}
