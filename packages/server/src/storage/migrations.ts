/** The migrations, in order. A released migration is never edited; a new one follows. */
export const MIGRATIONS: Readonly<Record<string, string>> = {
  '0001_accounts': `
    create table accounts (
      id uuid primary key,
      email text not null,
      display_name text not null,
      password_hash text,
      role text not null default 'user' check (role in ('user', 'admin')),
      status text not null default 'active' check (status in ('active', 'banned', 'deleted')),
      account_key text,
      created_at timestamptz not null default now()
    );
    create unique index accounts_email on accounts (lower(email)) where status <> 'deleted';

    create table login_failures (
      email_hash text primary key,
      failures integer not null,
      locked_until timestamptz,
      updated_at timestamptz not null default now()
    );
    create table email_codes (
      email_hash text primary key,
      code_hash text not null,
      attempts integer not null default 0,
      expires_at timestamptz not null
    );

    create table devices (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      name text not null,
      identity_key text not null,
      exchange_key text not null,
      certificate jsonb,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz,
      revoked_at timestamptz
    );
    create unique index devices_identity on devices (account_id, identity_key);

    create table sessions (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      device_id uuid references devices on delete set null,
      -- Of the part of the refresh token that stays when it rotates: any older token is known for what it is.
      family_hash text not null unique,
      refresh_hash text not null,
      previous_hash text,
      rotated_at timestamptz,
      user_agent text,
      created_at timestamptz not null default now(),
      used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index sessions_account on sessions (account_id);
    create index sessions_device on sessions (device_id);

    create table passkeys (
      credential_id text primary key,
      account_id uuid not null references accounts on delete cascade,
      name text not null,
      public_key bytea not null,
      counter bigint not null,
      transports jsonb not null default '[]',
      created_at timestamptz not null default now(),
      used_at timestamptz
    );
    create index passkeys_account on passkeys (account_id);
    create table passkey_challenges (
      id uuid primary key,
      purpose text not null check (purpose in ('register', 'login')),
      challenge text not null,
      account_id uuid references accounts on delete cascade,
      expires_at timestamptz not null
    );

    create table device_grants (
      device_code_hash text primary key,
      user_code_hash text not null unique,
      client_name text not null,
      status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'used')),
      account_id uuid references accounts on delete cascade,
      polled_at timestamptz,
      interval_seconds integer not null,
      expires_at timestamptz not null
    );

    create table signed_prekeys (
      owner_kind text not null check (owner_kind in ('device', 'agent')),
      owner_id uuid not null,
      key_id integer not null,
      public_key text not null,
      signature text not null,
      created_at timestamptz not null default now(),
      primary key (owner_kind, owner_id, key_id)
    );
    create table one_time_prekeys (
      owner_kind text not null check (owner_kind in ('device', 'agent')),
      owner_id uuid not null,
      key_id integer not null,
      public_key text not null,
      primary key (owner_kind, owner_id, key_id)
    );
    -- The highest id ever taken: a key that was given away cannot be uploaded again.
    create table prekey_stocks (
      owner_kind text not null check (owner_kind in ('device', 'agent')),
      owner_id uuid not null,
      last_key_id integer not null,
      primary key (owner_kind, owner_id)
    );
    -- How many one-time keys of an owner one taker got in a day.
    create table prekey_takings (
      taker_kind text not null check (taker_kind in ('human', 'agent')),
      taker_id uuid not null,
      owner_kind text not null check (owner_kind in ('device', 'agent')),
      owner_id uuid not null,
      day date not null,
      taken integer not null,
      primary key (taker_kind, taker_id, owner_kind, owner_id)
    );
  `,

  '0002_agents': `
    create table agents (
      id uuid primary key,
      owner_id uuid not null references accounts on delete cascade,
      name text not null,
      description text not null default '',
      visibility text not null default 'public' check (visibility in ('public', 'private')),
      status text not null default 'active' check (status in ('active', 'suspended', 'banned', 'deleted')),
      connection_mode text not null default 'websocket' check (connection_mode in ('websocket', 'polling', 'webhook')),
      connection_mode_signature text,
      identity_key text,
      exchange_key text,
      capability_manifest jsonb,
      capability_manifest_version integer not null default 0,
      capability_manifest_hash text,
      warnings jsonb not null default '[]',
      unreachable_since timestamptz,
      search tsvector,
      tool_names text[] not null default '{}',
      scope_ids text[] not null default '{}',
      flags text[] not null default '{}',
      highest_sensitivity text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index agents_owner on agents (owner_id);
    create index agents_search on agents using gin (search) where visibility = 'public' and status = 'active';
    create index agents_tools on agents using gin (tool_names);
    create index agents_scopes on agents using gin (scope_ids);
    -- Few: what is hidden because its owner is gone or banned.
    create index accounts_inactive on accounts (id) where status <> 'active';

    create table agent_manifests (
      agent_id uuid not null references agents on delete cascade,
      version integer not null,
      manifest jsonb not null,
      hash text not null,
      breaking boolean not null,
      created_at timestamptz not null default now(),
      primary key (agent_id, version)
    );

    create table agent_tokens (
      id uuid primary key,
      agent_id uuid not null references agents on delete cascade,
      token_hash text not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz
    );
    create index agent_tokens_agent on agent_tokens (agent_id);

    create table idempotency_keys (
      caller text not null,
      key text not null,
      request_hash text not null,
      -- Text, not jsonb: it is sent again as it was, and jsonb cannot hold every string of JSON.
      reply text,
      created_at timestamptz not null default now(),
      primary key (caller, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);
  `,

  '0003_conversations': `
    create table conversations (
      id uuid primary key,
      kind text not null check (kind in ('h2a', 'h2h', 'group')),
      title text,
      last_seq bigint not null default 0,
      last_message_at timestamptz,
      -- Up to here no envelope is kept any more.
      forgotten_seq bigint not null default 0,
      created_at timestamptz not null default now()
    );
    create table members (
      conversation_id uuid not null references conversations on delete cascade,
      member_kind text not null check (member_kind in ('human', 'agent')),
      member_id uuid not null,
      role text not null default 'member' check (role in ('owner', 'admin', 'member')),
      joined_seq bigint not null default 0,
      read_seq bigint not null default 0,
      left_at timestamptz,
      primary key (conversation_id, member_kind, member_id)
    );
    create index members_member on members (member_kind, member_id) where left_at is null;

    create table messages (
      conversation_id uuid not null,
      seq bigint not null,
      id uuid not null,
      client_message_id text not null,
      sender_kind text not null,
      sender_id uuid not null,
      sender_device_id uuid,
      content_type text not null,
      msg_subtype text not null,
      -- The canonical JSON as it goes out again; null once everyone has it. The hash stays, to know a retry from a forgery.
      envelope text,
      envelope_hash bytea not null,
      -- As the sender says; received_at is ours.
      created_at timestamptz not null,
      received_at timestamptz not null,
      primary key (conversation_id, seq)
    );
    -- Ciphertext does not compress: trying costs more than storing.
    alter table messages alter column envelope set storage external;
    create unique index messages_client on messages (conversation_id, sender_kind, sender_id, client_message_id);
    create unique index messages_id on messages (id);
    create index messages_age on messages using brin (received_at);

    -- How far each device or agent has everything: what lies behind all of them needs no keeping.
    create table cursors (
      consumer_kind text not null check (consumer_kind in ('device', 'agent')),
      consumer_id uuid not null,
      conversation_id uuid not null references conversations on delete cascade,
      seq bigint not null,
      updated_at timestamptz not null default now(),
      primary key (consumer_kind, consumer_id, conversation_id)
    );

    -- One row for each message.claim (CG-11): given once, never twice.
    create table claims (
      message_id uuid primary key,
      device_id uuid not null,
      created_at timestamptz not null default now()
    );

    create table tool_call_times (
      agent_id uuid not null,
      sent_at timestamptz not null
    );
    create index tool_call_times_agent on tool_call_times (agent_id, sent_at);
  `,

  '0004_relations': `
    create table h2a_relations (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      agent_id uuid not null references agents on delete cascade,
      conversation_id uuid not null references conversations,
      status text not null default 'active' check (status in ('active', 'suspended', 'ended')),
      granted_scopes jsonb not null default '[]',
      -- What the user last agreed to; version 0 and no hash where the agent had no manifest.
      agreed_version integer not null,
      agreed_hash text,
      agreed_mode text not null default 'websocket' check (agreed_mode in ('websocket', 'polling', 'webhook')),
      -- The head of the ledger says the same as granted_scopes.
      signed boolean not null default false,
      ledger_length integer not null default 0,
      ledger_head text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      ended_at timestamptz
    );
    create unique index h2a_relations_pair on h2a_relations (account_id, agent_id) where status <> 'ended';
    create index h2a_relations_agent on h2a_relations (agent_id, id);
    create index h2a_relations_conversation on h2a_relations (conversation_id);

    -- What those who agreed to this version have yet to answer. It is the same for all of them, so that a new manifest
    -- writes a row for each version instead of one for each relation.
    create table pending_scopes (
      agent_id uuid not null references agents on delete cascade,
      agreed_version integer not null,
      scopes jsonb not null,
      primary key (agent_id, agreed_version)
    );

    create table ledger_entries (
      relation_id uuid not null references h2a_relations on delete cascade,
      seq integer not null,
      hash text not null,
      entry jsonb not null,
      created_at timestamptz not null default now(),
      primary key (relation_id, seq)
    );
  `,

  '0005_events': `
    -- What people and agents are told besides messages; kept until the consumer has it, or retention ends.
    create table events (
      id bigint generated always as identity primary key,
      recipient_kind text not null check (recipient_kind in ('human', 'agent')),
      recipient_id uuid not null,
      type text not null,
      payload jsonb not null,
      -- Given when it is first read, under a lock per recipient: ids are handed out before commit, so a reader that goes
      -- by them could pass one that is not yet to be seen.
      position bigint,
      created_at timestamptz not null default now()
    );
    create sequence event_positions;
    create index events_recipient on events (recipient_kind, recipient_id, position);
    create index events_age on events (created_at);
    create table event_cursors (
      consumer_kind text not null check (consumer_kind in ('device', 'agent')),
      consumer_id uuid not null,
      event_id bigint not null,
      primary key (consumer_kind, consumer_id)
    );
  `,

  '0006_webhooks': `
    -- Secrets are sealed under the server's storage secret.
    create table webhooks (
      agent_id uuid primary key references agents on delete cascade,
      url text not null,
      secret text not null,
      previous_secret text,
      previous_until timestamptz,
      failures integer not null default 0,
      paused_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    -- Text, not jsonb: what was signed is sent byte for byte.
    create table webhook_deliveries (
      id uuid primary key,
      agent_id uuid not null references agents on delete cascade,
      event_type text not null,
      body text not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      last_status integer,
      last_error text,
      next_at timestamptz,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      delivered_at timestamptz
    );
    create index webhook_deliveries_agent on webhook_deliveries (agent_id, id desc);
    create index webhook_deliveries_age on webhook_deliveries (created_at);
    create index webhook_deliveries_pending on webhook_deliveries (agent_id) where status = 'pending';
  `,

  '0007_operators': `
    create table admin_actions (
      id uuid primary key,
      admin_id uuid not null,
      action text not null,
      target_kind text not null check (target_kind in ('account', 'agent')),
      target_id uuid not null,
      -- The status or role before: what undoing it goes back to.
      previous text not null,
      reason text not null,
      created_at timestamptz not null
    );
    create index admin_actions_target on admin_actions (target_id, id desc);
  `,

  '0008_workers': `
    create table job_workers (
      worker_id text primary key,
      seen_at timestamptz not null
    );
  `,

  '0009_devices': `
    -- Which devices have a socket open, on which node. No reference: rows of a node that dies go when it is missed.
    create table socket_nodes (
      id uuid primary key,
      seen_at timestamptz not null
    );
    create table connected_devices (
      device_id uuid not null,
      node_id uuid not null,
      account_id uuid not null,
      primary key (device_id, node_id)
    );
    create index connected_devices_account on connected_devices (account_id);
    create index connected_devices_node on connected_devices (node_id);

    -- Devices that cannot run a tool call (CG-11).
    create table passes (
      message_id uuid not null,
      device_id uuid not null,
      account_id uuid not null,
      created_at timestamptz not null,
      primary key (message_id, device_id)
    );
    create index passes_account on passes (account_id, created_at);

    -- Each signed by the old key, as it was signed: whoever pinned that one follows them (EE-14).
    create table account_key_changes (
      id bigint generated always as identity primary key,
      account_id uuid not null references accounts on delete cascade,
      old_account_key text not null,
      new_account_key text not null,
      created_at text not null,
      signature text not null
    );
    create index account_key_changes_account on account_key_changes (account_id, id);
  `,

  '0010_skills': `
    create table skill_namespaces (
      name text primary key,
      owner_id uuid not null references accounts on delete cascade,
      -- Its skills are the host's own, and listed in its well-known index.
      host boolean not null default false,
      created_at timestamptz not null
    );
    create index skill_namespaces_owner on skill_namespaces (owner_id);

    create table skills (
      id text primary key,
      owner_id uuid not null references accounts on delete cascade,
      host boolean not null,
      -- Of the highest version of all: it governs every one of them (SD-8).
      access text not null check (access in ('public', 'restricted', 'private')),
      -- What search shows: the highest version that was not yanked; null where all were.
      version text,
      name text not null,
      description text not null,
      capability_type text not null,
      provider text not null,
      tags text[] not null default '{}',
      search tsvector not null,
      updated_at timestamptz not null
    );
    create index skills_owner on skills (owner_id);
    create index skills_search on skills using gin (search);
    create index skills_tags on skills using gin (tags);
    create index skills_host on skills (id) where host;

    create table skill_versions (
      skill_id text not null references skills on delete cascade,
      version text not null,
      -- As it was published, to the byte.
      descriptor text not null,
      digest text not null,
      access text not null,
      yanked boolean not null default false,
      created_at timestamptz not null,
      primary key (skill_id, version)
    );

    create table skill_entitlements (
      skill_id text not null references skills on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      created_at timestamptz not null,
      primary key (skill_id, account_id)
    );
    create index skill_entitlements_account on skill_entitlements (account_id);
  `,

  '0011_bundles': `
    create table bundles (
      id text primary key,
      owner_id uuid not null references accounts on delete cascade,
      -- What search shows: the highest version that was not yanked; null where all were.
      version text,
      name text not null,
      summary text not null,
      author text,
      category text,
      tags text[] not null default '{}',
      risk text not null,
      digest text not null,
      search tsvector not null,
      updated_at timestamptz not null
    );
    create index bundles_owner on bundles (owner_id);
    create index bundles_search on bundles using gin (search);
    create index bundles_tags on bundles using gin (tags);

    create table bundle_versions (
      bundle_id text not null references bundles on delete cascade,
      version text not null,
      manifest text not null,
      -- Of each kit that came with it: the list of its files.
      kits jsonb not null,
      digest text not null,
      yanked boolean not null default false,
      created_at timestamptz not null,
      primary key (bundle_id, version)
    );

    create table mirror_kits (
      slug text not null,
      version text not null,
      files jsonb not null,
      digest text not null,
      created_at timestamptz not null,
      primary key (slug, version)
    );

    -- By content: the same file in many bundles is stored once.
    create table kit_files (
      sha256 text primary key,
      data bytea not null
    );
  `,

  '0012_tool_calls': `
    -- One row for all calls that count from the same time.
    drop table tool_call_times;
    create table tool_call_times (
      agent_id uuid not null,
      sent_at timestamptz not null,
      calls integer not null,
      primary key (agent_id, sent_at)
    );
  `,

  '0013_agent_events': `
    -- What happens around agents, for their owners: the last of it. An agent's numbers are given under the lock of its row
    -- here, so that they can be seen in their order.
    create table agent_tails (
      agent_id uuid primary key,
      last_number bigint not null
    );
    create table agent_events (
      agent_id uuid not null,
      number bigint not null,
      type text not null,
      fields jsonb not null,
      at timestamptz not null,
      primary key (agent_id, number)
    );
    create index agent_events_age on agent_events using brin (at);
  `,

  '0014_relay': `
    -- Locked, it is for the rest of the transaction, and in order: two nodes with the same conversations must not wait for
    -- each other. What is read behind the lock was committed while it waited: in a function that is volatile, every
    -- statement sees the present.
    create function relay_states(ids uuid[], locked boolean) returns table (conversation_id uuid, conversation_kind text,
      last_seq bigint, kind text, id uuid, present boolean, open boolean, "agentActive" boolean, webhook boolean)
    language plpgsql volatile as $$
    #variable_conflict use_column
    begin
      if locked then
        perform 1 from conversations c where c.id = any(ids) order by c.id for no key update;
      end if;
      return query
        select c.id, c.kind, c.last_seq, m.member_kind, m.member_id, m.left_at is null,
          c.kind <> 'h2a' or exists (
            select 1 from h2a_relations r where r.conversation_id = c.id and r.status = 'active'),
          m.member_kind = 'human' or coalesce(a.status = 'active', false),
          coalesce(a.connection_mode = 'webhook', false)
        from conversations c
        join members m on m.conversation_id = c.id and (m.left_at is null or c.kind = 'h2a')
        left join agents a on m.member_kind = 'agent' and a.id = m.member_id
        where c.id = any(ids);
    end $$;

    -- TC-7 over all nodes: the agents stay locked until the transaction ends, and the clock is the database's, read under
    -- the lock. Those of different nodes would differ.
    create function tool_rates(ids uuid[]) returns table (id uuid, used integer, "time" text, wait double precision)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      present timestamptz;
    begin
      perform pg_advisory_xact_lock(7213002, key)
      from (select distinct hashtext(agent::text) as key from unnest(ids) as agent order by 1) as keys;
      present := clock_timestamp();
      return query
        select agent, coalesce(sum(calls), 0)::integer, present::text,
          extract(epoch from min(sent_at) + interval '60 seconds' - present)::double precision
        from unnest(ids) as agent
        left join tool_call_times on agent_id = agent and sent_at > present - interval '60 seconds'
        group by agent;
    end $$;
  `,

  '0015_signed_chains': `
    -- EE-18: which devices an account has, signed under its account key. The statements of a deleted account stay: others
    -- verify with them what it signed in their groups.
    create table device_statements (
      account_id uuid not null references accounts on delete cascade,
      seq integer not null,
      hash text not null,
      statement jsonb not null,
      primary key (account_id, seq)
    );
    -- Listed: by the list, or before there was one by a certificate. Pairing and welcome are read by devices only (EE-16).
    alter table devices
      add column listed boolean not null default false,
      add column pairing text,
      add column welcome text,
      add column welcomed_at timestamptz;
    update devices set listed = true where certificate is not null;

    -- EE-20: who is in a group.
    create table group_statements (
      conversation_id uuid not null references conversations on delete cascade,
      seq integer not null,
      hash text not null,
      statement jsonb not null,
      primary key (conversation_id, seq)
    );
    create index group_statements_author on group_statements ((statement -> 'by' ->> 'id'));

    -- No client ever wrote it: the list says now which account key follows which.
    drop table account_key_changes;
  `,

  '0016_account_conversations': `
    -- EE-23: the conversation that an account's devices have among themselves. Its id is the account's own. Where someone
    -- has chosen that id for a conversation before, the account has none: nothing is believed of one that is another's.
    alter table conversations drop constraint conversations_kind_check;
    alter table conversations add constraint conversations_kind_check
      check (kind in ('h2a', 'h2h', 'group', 'account'));
    insert into conversations (id, kind)
      select id, 'account' from accounts where status <> 'deleted' on conflict (id) do nothing;
    insert into members (conversation_id, member_kind, member_id, role)
      select id, 'human', id, 'owner' from conversations where kind = 'account';
  `,

  '0017_budgets': `
    -- OP-1: what an operator changed; every other budget has its default.
    create table account_budgets (
      account_id uuid not null references accounts on delete cascade,
      budget text not null,
      value bigint not null check (value >= 0),
      primary key (account_id, budget)
    );
  `,

  '0017_usage': `
    -- OP-1: what each account stores. Every change is added as a row by whoever makes it, in the same transaction: no two
    -- of them wait for each other, and nothing is forgotten, whatever deletes it. The rows are added up from time to time.
    create table account_usage (
      account_id uuid primary key,
      bytes bigint not null,
      versions bigint not null,
      group_members bigint not null default 0
    );
    create table usage_changes (
      account_id uuid not null,
      bytes bigint not null,
      versions bigint not null default 0,
      group_members bigint not null default 0
    );
    -- OP-12: what a migration leaves to a task of that name, which takes long. The task deletes it.
    create table backfills (task text primary key);
    create index agents_live on agents (owner_id) where status <> 'deleted';
    -- Who uploaded a file first pays for it.
    alter table kit_files add column owner_id uuid;

    -- With or without its envelope, a message is a row and its four entries in indexes: about 400 bytes. octet_length does
    -- not read an envelope that is stored apart.
    create function count_messages() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select coalesce(a.owner_id, m.sender_id), -sum(400 + coalesce(octet_length(m.envelope), 0)) from gone m
          left join agents a on m.sender_kind = 'agent' and a.id = m.sender_id group by 1;
      end if;
      if tg_op <> 'DELETE' then
        insert into usage_changes (account_id, bytes)
          select coalesce(a.owner_id, m.sender_id), sum(400 + coalesce(octet_length(m.envelope), 0)) from fresh m
          left join agents a on m.sender_kind = 'agent' and a.id = m.sender_id group by 1;
      end if;
      return null;
    end $$;
    create trigger messages_stored after insert on messages
      referencing new table as fresh for each statement execute function count_messages();
    create trigger messages_forgotten after update on messages
      referencing old table as gone new table as fresh for each statement execute function count_messages();
    create trigger messages_deleted after delete on messages
      referencing old table as gone for each statement execute function count_messages();

    create function count_manifests() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes, versions)
          select a.owner_id, sum(octet_length(m.manifest::text)), count(*)
          from fresh m join agents a on a.id = m.agent_id group by 1;
      else
        insert into usage_changes (account_id, bytes, versions)
          select a.owner_id, -sum(octet_length(m.manifest::text)), -count(*)
          from gone m join agents a on a.id = m.agent_id group by 1;
      end if;
      return null;
    end $$;
    create trigger manifests_stored after insert on agent_manifests
      referencing new table as fresh for each statement execute function count_manifests();
    create trigger manifests_deleted after delete on agent_manifests
      referencing old table as gone for each statement execute function count_manifests();

    -- Deleted or not, an agent leaves a row: about this much.
    create function count_agents() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes) select owner_id, 1000 * count(*) from fresh group by 1;
      return null;
    end $$;
    create trigger agents_stored after insert on agents
      referencing new table as fresh for each statement execute function count_agents();

    create function count_skills() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select s.owner_id, sum(octet_length(v.descriptor)) from fresh v join skills s on s.id = v.skill_id group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select s.owner_id, -sum(octet_length(v.descriptor)) from gone v join skills s on s.id = v.skill_id group by 1;
      end if;
      return null;
    end $$;
    create trigger skills_stored after insert on skill_versions
      referencing new table as fresh for each statement execute function count_skills();
    create trigger skills_deleted after delete on skill_versions
      referencing old table as gone for each statement execute function count_skills();

    create function count_bundles() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select b.owner_id, sum(octet_length(v.manifest) + octet_length(v.kits::text))
          from fresh v join bundles b on b.id = v.bundle_id group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select b.owner_id, -sum(octet_length(v.manifest) + octet_length(v.kits::text))
          from gone v join bundles b on b.id = v.bundle_id group by 1;
      end if;
      return null;
    end $$;
    create trigger bundles_stored after insert on bundle_versions
      referencing new table as fresh for each statement execute function count_bundles();
    create trigger bundles_deleted after delete on bundle_versions
      referencing old table as gone for each statement execute function count_bundles();

    create function count_kit_files() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select owner_id, sum(octet_length(data)) from fresh where owner_id is not null group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select owner_id, -sum(octet_length(data)) from gone where owner_id is not null group by 1;
      end if;
      return null;
    end $$;
    create trigger kit_files_stored after insert on kit_files
      referencing new table as fresh for each statement execute function count_kit_files();
    create trigger kit_files_deleted after delete on kit_files
      referencing old table as gone for each statement execute function count_kit_files();

    -- Adds the changes up. One node at a time does it; the others need not.
    create function fold_usage() returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(7213005) then return; end if;
      with gone as (delete from usage_changes returning account_id, bytes, versions, group_members)
      insert into account_usage (account_id, bytes, versions, group_members)
        select account_id, sum(bytes), sum(versions), sum(group_members) from gone group by 1 order by 1
      on conflict (account_id) do update
        set bytes = account_usage.bytes + excluded.bytes, versions = account_usage.versions + excluded.versions,
          group_members = account_usage.group_members + excluded.group_members;
    end $$;
    -- What was there before is counted by the task: here it would keep the tables locked.
    insert into backfills select 'count_usage' where exists (select from accounts);
  `,

  '0018_webhook_events': `
    -- In the order in which the relay locks them: a migration that takes them in another waits for it in vain.
    lock table messages in share row exclusive mode;
    -- OP-4: what webhooks are told, once for all of them. Of a message it holds everything but the envelope.
    create table webhook_events (
      id bigint generated always as identity primary key,
      -- Who caused it, in whose turn its deliveries are made.
      account_id uuid not null,
      event_type text not null,
      payload text not null,
      conversation_id uuid,
      seq bigint,
      -- The message's envelope, from the moment in which the message itself forgets it.
      envelope text,
      -- To whom, until the deliveries are made.
      agent_ids uuid[],
      -- How many they are.
      deliveries integer not null,
      created_at timestamptz not null
    );
    -- Ids do not compress: trying costs more than storing.
    alter table webhook_events alter column agent_ids set storage external;
    create index webhook_events_open on webhook_events (account_id, id) include (deliveries) where agent_ids is not null;
    create index webhook_events_message on webhook_events (conversation_id, seq) where conversation_id is not null;
    create index webhook_events_age on webhook_events using brin (created_at);

    -- A delivery has a body of its own, or that of an event. A node of the version before fails on the latter, and its job
    -- is tried again by another.
    alter table webhook_deliveries alter column body drop not null, add column event_id bigint;

    -- When to look next at an agent's deliveries, null if none waits; and the node that is at it.
    create table webhook_queues (
      agent_id uuid primary key references agents on delete cascade,
      due_at timestamptz,
      leased_until timestamptz
    );
    create index webhook_queues_due on webhook_queues (due_at) where due_at is not null;

    -- A trigger, because nodes of the version before forget messages, too.
    create function keep_webhook_envelope() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        update webhook_events e set envelope = o.envelope from gone o
          join fresh n on n.conversation_id = o.conversation_id and n.seq = o.seq
          where e.conversation_id = o.conversation_id and e.seq = o.seq and e.envelope is null
            and o.envelope is not null and n.envelope is null;
      else
        update webhook_events e set envelope = o.envelope from gone o
          where e.conversation_id = o.conversation_id and e.seq = o.seq and e.envelope is null
            and o.envelope is not null;
      end if;
      return null;
    end $$;
    create trigger webhook_envelope_forgotten after update on messages
      referencing old table as gone new table as fresh for each statement execute function keep_webhook_envelope();
    create trigger webhook_envelope_deleted after delete on messages
      referencing old table as gone for each statement execute function keep_webhook_envelope();
  `,

  // Reads all deliveries, so it is apart from what locks anything else.
  '0018_webhook_queues': `
    create index webhook_deliveries_event on webhook_deliveries (event_id) where event_id is not null;
    create index webhook_deliveries_due on webhook_deliveries (agent_id, next_at, event_id) where status = 'pending';
    insert into webhook_queues (agent_id, due_at)
      select agent_id, min(next_at) from webhook_deliveries where status = 'pending' group by agent_id;
  `,

  '0018_conversation_events': `
    -- The relay has read it when it locks conversations.
    lock table members in access exclusive mode;
    -- OP-3: what all members of a conversation are told, once, however many they are.
    create table conversation_events (
      id bigint generated always as identity primary key,
      conversation_id uuid not null references conversations on delete cascade,
      type text not null,
      payload jsonb not null,
      -- From the same sequence as those of events, given under a lock that nobody else gives positions at the same time.
      position bigint,
      created_at timestamptz not null default now()
    );
    create index conversation_events_position on conversation_events (conversation_id, position);
    create index conversation_events_fresh on conversation_events (id) where position is null;
    create index conversation_events_age on conversation_events (created_at);

    -- The last event of the conversation from before someone joined. By a trigger: nodes of the version before add members, too.
    alter table members add column joined_event bigint not null default 0;
    create function note_joined_event() returns trigger language plpgsql as $$
      begin
        new.joined_event := coalesce(
          (select max(id) from conversation_events where conversation_id = new.conversation_id), 0);
        return new;
      end $$;
    create index conversation_events_conversation on conversation_events (conversation_id, id);
    create trigger members_join before insert on members for each row execute function note_joined_event();
    create trigger members_rejoin before update of left_at on members for each row
      when (old.left_at is not null and new.left_at is null) execute function note_joined_event();

    -- While a node runs that does not read them, each member gets an event of their own.
    alter table socket_nodes add column reads_conversation_events boolean not null default false;
  `,

  '0022_people': `
    -- In the order in which every request reads them.
    lock table sessions in access exclusive mode;
    -- AC-1: proofs of known devices count only for the present epoch.
    alter table accounts add column known_device_epoch integer not null default 0;
    -- AC-2: who exchanged the refresh token last, as a hash. AC-3: when the password or a passkey was last given in this
    -- session, and the passkey that it began with.
    alter table sessions
      add column rotated_by text,
      add column verified_at timestamptz,
      add column passkey_id text;

    -- AC-8: who may register. The role is admin for the link that names the first operator.
    create table invitations (
      id uuid primary key,
      code_hash text not null unique,
      role text not null default 'user' check (role in ('user', 'admin')),
      note text not null default '',
      created_by uuid,
      uses integer not null,
      used integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create unique index invitations_operator on invitations (role) where role = 'admin' and revoked_at is null;

    -- AC-9. Made by: an operator, or nobody where an e-mail was asked for, from a network of which a hash is kept.
    create table password_resets (
      code_hash text primary key,
      account_id uuid not null references accounts on delete cascade,
      created_by uuid,
      network_hash text,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index password_resets_account on password_resets (account_id, created_at);

    create table account_notices (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      kind text not null,
      detail text not null default '',
      created_at timestamptz not null
    );
    create index account_notices_account on account_notices (account_id, id desc);

    alter table admin_actions drop constraint admin_actions_target_kind_check;
  `,

  '0024_operator_log': `
    -- OP-15: from where it was done.
    alter table admin_actions add column address text;
    create index admin_actions_admin on admin_actions (admin_id, id desc);
    -- The log is only ever added to.
    create function keep_admin_actions() returns trigger language plpgsql as $$
      begin
        raise exception 'the log of what operators did is append-only';
      end $$;
    create trigger admin_actions_append_only before update or delete on admin_actions
      for each row execute function keep_admin_actions();
  `,

  '0021_clocks_and_versions': `
    -- OP-12: what a node must know in order to work on the schema that this migration made; null: what those before know.
    alter table migrations add column needs text;

    -- OP-13: one row, with the last reading of the database's clock, and since when it has not jumped.
    create table clock_readings (
      only_row boolean primary key default true check (only_row),
      read_at timestamptz not null,
      steady_since timestamptz not null
    );

    -- TR-3: how far the clock of the node is behind the database's. The ids of its messages begin with its time.
    alter table socket_nodes add column clock_behind_ms integer not null default 0;

    -- As before, but calls of the future do not count: they are from before the clock was set back.
    create or replace function tool_rates(ids uuid[])
    returns table (id uuid, used integer, "time" text, wait double precision)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      present timestamptz;
    begin
      perform pg_advisory_xact_lock(7213002, key)
      from (select distinct hashtext(agent::text) as key from unnest(ids) as agent order by 1) as keys;
      present := clock_timestamp();
      return query
        select agent, coalesce(sum(calls), 0)::integer, present::text,
          extract(epoch from min(sent_at) + interval '60 seconds' - present)::double precision
        from unnest(ids) as agent
        left join tool_call_times on agent_id = agent and sent_at > present - interval '60 seconds'
          and sent_at <= present + interval '1 second'
        group by agent;
    end $$;
  `,

  '0023_contacts': `
    -- AC-7: names an account to those who were given it.
    create table contact_codes (
      account_id uuid primary key references accounts on delete cascade,
      code text not null unique,
      created_at timestamptz not null default now()
    );

    -- AC-4. Two rows for two people.
    create table contacts (
      account_id uuid not null references accounts on delete cascade,
      contact_id uuid not null references accounts on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, contact_id)
    );
    create index contacts_other on contacts (contact_id);

    -- A request that nobody is there for is kept too: whoever asks sees no difference. Not heard: it is shown to nobody.
    create table contact_requests (
      id uuid primary key,
      asker_id uuid not null references accounts on delete cascade,
      named_kind text not null check (named_kind in ('code', 'agent', 'account')),
      named text not null,
      account_id uuid references accounts on delete cascade,
      heard boolean not null,
      heard_at timestamptz,
      declined_at timestamptz,
      created_at timestamptz not null default now(),
      unique (asker_id, named_kind, named)
    );
    create index contact_requests_asked on contact_requests (account_id, created_at);

    -- AC-6. What the blocked write from since to until is never delivered, so that ended blocks are kept as long as messages.
    create table blocks (
      account_id uuid not null references accounts on delete cascade,
      blocked_id uuid not null references accounts on delete cascade,
      since timestamptz not null,
      until timestamptz,
      primary key (account_id, blocked_id, since)
    );
    create unique index blocks_open on blocks (account_id, blocked_id) where until is null;
    create index blocks_of on blocks (blocked_id) where until is null;

    -- AC-5. The account may not exist: whoever guesses ids sees no difference.
    create table group_invitations (
      id uuid primary key,
      conversation_id uuid not null references conversations on delete cascade,
      account_id uuid not null,
      inviter_id uuid not null references accounts on delete cascade,
      heard boolean not null,
      accepted_at timestamptz,
      declined_at timestamptz,
      withdrawn_at timestamptz,
      created_at timestamptz not null default now(),
      unique (conversation_id, account_id)
    );
    create index group_invitations_account on group_invitations (account_id);

    -- AC-7: an id that nobody has is accepted like any other. No account is ever deleted, so there was nothing to cascade.
    alter table skill_entitlements drop constraint skill_entitlements_account_id_fkey;
  `,

  // Reads all conversations, so it is apart from what locks anything.
  '0023_contacts_of_before': `
    -- Who talk to each other already are contacts. The members of very large groups do not know each other.
    insert into contacts (account_id, contact_id)
      select distinct a.member_id, b.member_id
      from conversations c
      join members a on a.conversation_id = c.id and a.member_kind = 'human' and a.left_at is null
      join members b on b.conversation_id = c.id and b.member_kind = 'human' and b.left_at is null
      where a.member_id <> b.member_id and c.kind in ('h2h', 'group')
        and (select count(*) from members m where m.conversation_id = c.id and m.left_at is null) <= 100
        and exists (select from accounts where accounts.id = a.member_id)
        and exists (select from accounts where accounts.id = b.member_id);
  `,

  '0025_usage_of_rows': `
    -- OP-1: who pays for a conversation, its members and what they are told: whoever began it. Nobody pays for the
    -- conversation of an account's own devices, which every account has once.
    alter table conversations add column payer_id uuid;

    -- Rows with their entries in indexes, and for members also with the cursors that they have.
    create function count_conversations() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes)
        select payer_id, 500 * count(*) from fresh where payer_id is not null group by 1;
      return null;
    end $$;
    create trigger conversations_stored after insert on conversations
      referencing new table as fresh for each statement execute function count_conversations();

    create function count_members() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes, group_members)
        select c.payer_id, 500 * count(*), count(*) filter (where c.kind = 'group' and m.left_at is null)
        from fresh m join conversations c on c.id = m.conversation_id where c.payer_id is not null group by 1;
      return null;
    end $$;
    create trigger members_stored after insert on members
      referencing new table as fresh for each statement execute function count_members();

    -- A trigger with tables of what was changed would run with every mark of what was read.
    create function count_leaving() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes, group_members)
        select payer_id, 0, case when new.left_at is null then 1 else -1 end
        from conversations where id = new.conversation_id and kind = 'group' and payer_id is not null;
      return null;
    end $$;
    create trigger members_left after update of left_at on members for each row
      when ((old.left_at is null) <> (new.left_at is null)) execute function count_leaving();

    create function count_group_statements() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes)
        select c.payer_id, sum(300 + octet_length(s.statement::text))
        from fresh s join conversations c on c.id = s.conversation_id where c.payer_id is not null group by 1;
      return null;
    end $$;
    create trigger group_statements_stored after insert on group_statements
      referencing new table as fresh for each statement execute function count_group_statements();

    create function count_conversation_events() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select c.payer_id, sum(300 + octet_length(e.payload::text))
          from fresh e join conversations c on c.id = e.conversation_id where c.payer_id is not null group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select c.payer_id, -sum(300 + octet_length(e.payload::text))
          from gone e join conversations c on c.id = e.conversation_id where c.payer_id is not null group by 1;
      end if;
      return null;
    end $$;
    create trigger conversation_events_stored after insert on conversation_events
      referencing new table as fresh for each statement execute function count_conversation_events();
    create trigger conversation_events_deleted after delete on conversation_events
      referencing old table as gone for each statement execute function count_conversation_events();

    create function count_relations() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes) select account_id, 1000 * count(*) from fresh group by 1;
      return null;
    end $$;
    create trigger relations_stored after insert on h2a_relations
      referencing new table as fresh for each statement execute function count_relations();

    create function count_ledger_entries() returns trigger language plpgsql as $$
    begin
      insert into usage_changes (account_id, bytes)
        select r.account_id, sum(300 + octet_length(l.entry::text))
        from fresh l join h2a_relations r on r.id = l.relation_id group by 1;
      return null;
    end $$;
    create trigger ledger_entries_stored after insert on ledger_entries
      referencing new table as fresh for each statement execute function count_ledger_entries();

    -- Replies that are kept for whoever asks again. Their callers are named as kind:id.
    create function idempotency_payer(caller text) returns uuid language sql stable as $$
      select case
        when caller like 'human:%' then substr(caller, 7)::uuid
        when caller like 'agent:%' then (select owner_id from agents where id = substr(caller, 7)::uuid) end
    $$;
    create function count_idempotency_keys() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select payer, -sum(bytes) from (
            select idempotency_payer(caller) as payer, 400 + coalesce(octet_length(reply), 0) as bytes from gone) as kept
          where payer is not null group by 1;
      end if;
      if tg_op <> 'DELETE' then
        insert into usage_changes (account_id, bytes)
          select payer, sum(bytes) from (
            select idempotency_payer(caller) as payer, 400 + coalesce(octet_length(reply), 0) as bytes from fresh) as kept
          where payer is not null group by 1;
      end if;
      return null;
    end $$;
    create trigger idempotency_keys_stored after insert on idempotency_keys
      referencing new table as fresh for each statement execute function count_idempotency_keys();
    create trigger idempotency_keys_answered after update on idempotency_keys
      referencing old table as gone new table as fresh for each statement execute function count_idempotency_keys();
    create trigger idempotency_keys_deleted after delete on idempotency_keys
      referencing old table as gone for each statement execute function count_idempotency_keys();

    -- What webhooks are told counts for whoever caused it.
    create function webhook_event_bytes(payload text, envelope text, agent_ids uuid[]) returns bigint
    language sql immutable as $$
      select 300 + octet_length(payload) + coalesce(octet_length(envelope), 0) + 16 * coalesce(cardinality(agent_ids), 0)
    $$;
    create function count_webhook_events() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select account_id, -sum(webhook_event_bytes(payload, envelope, agent_ids)) from gone group by 1;
      end if;
      if tg_op <> 'DELETE' then
        insert into usage_changes (account_id, bytes)
          select account_id, sum(webhook_event_bytes(payload, envelope, agent_ids)) from fresh group by 1;
      end if;
      return null;
    end $$;
    create trigger webhook_events_stored after insert on webhook_events
      referencing new table as fresh for each statement execute function count_webhook_events();
    create trigger webhook_events_changed after update on webhook_events
      referencing old table as gone new table as fresh for each statement execute function count_webhook_events();
    create trigger webhook_events_deleted after delete on webhook_events
      referencing old table as gone for each statement execute function count_webhook_events();

    -- Those of the version before have no event, and go after a month: they count for nobody, but pings for the agent's owner.
    create function count_webhook_deliveries() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select coalesce(e.account_id, a.owner_id), 600 * count(*) from fresh d
          left join webhook_events e on e.id = d.event_id
          left join agents a on a.id = d.agent_id and d.event_type = 'ping'
          where coalesce(e.account_id, a.owner_id) is not null group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select coalesce(e.account_id, a.owner_id), -600 * count(*) from gone d
          left join webhook_events e on e.id = d.event_id
          left join agents a on a.id = d.agent_id and d.event_type = 'ping'
          where coalesce(e.account_id, a.owner_id) is not null group by 1;
      end if;
      return null;
    end $$;
    create trigger webhook_deliveries_stored after insert on webhook_deliveries
      referencing new table as fresh for each statement execute function count_webhook_deliveries();
    create trigger webhook_deliveries_deleted after delete on webhook_deliveries
      referencing old table as gone for each statement execute function count_webhook_deliveries();

    -- Counts everything anew. It is one statement, so it sees one moment: changes of later ones stay to be added.
    create function recount_usage() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7213005);
      with stored as (
          select coalesce(a.owner_id, m.sender_id) as account_id, 400 + coalesce(octet_length(m.envelope), 0)::bigint as bytes,
            0 as versions, 0 as group_members
          from messages m left join agents a on m.sender_kind = 'agent' and a.id = m.sender_id
        union all
          select a.owner_id, octet_length(m.manifest::text), 1, 0
          from agent_manifests m join agents a on a.id = m.agent_id
        union all
          select owner_id, 1000, 0, 0 from agents
        union all
          select s.owner_id, octet_length(v.descriptor), 0, 0 from skill_versions v join skills s on s.id = v.skill_id
        union all
          select b.owner_id, octet_length(v.manifest) + octet_length(v.kits::text), 0, 0
          from bundle_versions v join bundles b on b.id = v.bundle_id
        union all
          select owner_id, octet_length(data), 0, 0 from kit_files
        union all
          select payer_id, 500, 0, 0 from conversations
        union all
          select c.payer_id, 500, 0, (c.kind = 'group' and m.left_at is null)::int
          from members m join conversations c on c.id = m.conversation_id
        union all
          select c.payer_id, 300 + octet_length(s.statement::text), 0, 0
          from group_statements s join conversations c on c.id = s.conversation_id
        union all
          select c.payer_id, 300 + octet_length(e.payload::text), 0, 0
          from conversation_events e join conversations c on c.id = e.conversation_id
        union all
          select account_id, 1000, 0, 0 from h2a_relations
        union all
          select r.account_id, 300 + octet_length(l.entry::text), 0, 0
          from ledger_entries l join h2a_relations r on r.id = l.relation_id
        union all
          select idempotency_payer(caller), 400 + coalesce(octet_length(reply), 0), 0, 0 from idempotency_keys
        union all
          select account_id, webhook_event_bytes(payload, envelope, agent_ids), 0, 0 from webhook_events
        union all
          select coalesce(e.account_id, a.owner_id), 600, 0, 0 from webhook_deliveries d
          left join webhook_events e on e.id = d.event_id
          left join agents a on a.id = d.agent_id and d.event_type = 'ping'),
      sums as (
        select account_id, sum(bytes) as bytes, sum(versions) as versions, sum(group_members) as group_members
        from stored where account_id is not null group by 1),
      added as (delete from usage_changes),
      empty as (
        delete from account_usage u where not exists (select from sums where sums.account_id = u.account_id))
      insert into account_usage (account_id, bytes, versions, group_members)
        select account_id, bytes, versions, group_members from sums
      on conflict (account_id) do update set bytes = excluded.bytes, versions = excluded.versions,
        group_members = excluded.group_members;
    end $$;
    insert into backfills select 'count_usage' where exists (select from accounts) on conflict do nothing;
  `,

  '0028_clock_gaps': `
    -- OP-13: time that no clock was seen to go through. What bears a time before it may be as young as its end.
    create table clock_gaps (
      began_at timestamptz not null,
      ended_at timestamptz not null
    );
    -- As many milliseconds as an integer holds are 24 days.
    alter table socket_nodes alter column clock_behind_ms type bigint;
  `,

  '0026_blocks_by_number': `
    -- AC-6. What the blocked write to the conversation of two after since_seq, up to until_seq, is never delivered: clocks jump,
    -- and two nodes have two. 0 where nobody had written yet.
    alter table blocks add column since_seq bigint not null default 0, add column until_seq bigint;
    update blocks b set
      since_seq = coalesce((
        select coalesce(
          (select max(x.seq) from messages x where x.conversation_id = c.id and x.received_at < b.since),
          (select min(x.seq) - 1 from messages x where x.conversation_id = c.id),
          c.last_seq)
        from conversations c
        join members m on m.conversation_id = c.id and m.member_kind = 'human' and m.member_id = b.account_id
        join members o on o.conversation_id = c.id and o.member_kind = 'human' and o.member_id = b.blocked_id
        where c.kind = 'h2h' order by c.id limit 1), 0);
    update blocks b set
      until_seq = greatest(since_seq, coalesce((
        select max(x.seq) from conversations c
        join members m on m.conversation_id = c.id and m.member_kind = 'human' and m.member_id = b.account_id
        join members o on o.conversation_id = c.id and o.member_kind = 'human' and o.member_id = b.blocked_id
        join messages x on x.conversation_id = c.id and x.received_at < b.until
        where c.kind = 'h2h'), 0))
      where until is not null;
  `,

  '0026_heard_invitations': `
    -- AC-5. Of strangers only so many a day are heard, and none for a month of whoever was declined: declined_of, because
    -- someone else of the group may have invited again since.
    alter table group_invitations add column heard_at timestamptz, add column declined_of uuid;
    update group_invitations set heard_at = case when heard then created_at end,
      declined_of = case when declined_at is not null then inviter_id end;
  `,

  '0030_delivery_senders': `
    -- OP-3, OP-4: who caused it, the account of its event. Of a delivery that has none, a ping, or that the version before
    -- made: nobody.
    alter table webhook_deliveries
      add column sender_id uuid not null default '00000000-0000-0000-0000-000000000000';
    create index webhook_deliveries_turns on webhook_deliveries (agent_id, sender_id, next_at, event_id, id)
      where status = 'pending';
  `,

  '0027_usage_of_events': `
    -- OP-1: who caused it, and pays for it. Null for those of the version before, which count for nobody.
    alter table events add column account_id uuid;
  `,

  '0027_usage_of_all_rows': `
    -- OP-1: what else counts, and for whom, with a flat amount for what is around the content. %I is the table, or the rows
    -- that were written or deleted.
    create function counted_rows() returns table (name text, query text) language sql immutable as $$
      values
        ('events', 'select account_id, 300 + octet_length(payload::text) as bytes from %I where account_id is not null'),
        ('devices', 'select account_id, 1000 as bytes from %I'),
        ('device_statements', 'select account_id, 300 + octet_length(statement::text) as bytes from %I'),
        ('sessions', 'select account_id, 600 as bytes from %I'),
        ('passkeys', 'select account_id, 1000 as bytes from %I'),
        ('account_notices', 'select account_id, 300 as bytes from %I'),
        ('passes', 'select account_id, 200 as bytes from %I'),
        ('agent_tokens', 'select a.owner_id as account_id, 500 as bytes from %I t join agents a on a.id = t.agent_id'),
        ('contacts', 'select account_id, 300 as bytes from %I'),
        ('contact_requests', 'select asker_id as account_id, 500 as bytes from %I'),
        ('blocks', 'select account_id, 300 as bytes from %I'),
        ('group_invitations', 'select c.payer_id as account_id, 500 as bytes from %I i
          join conversations c on c.id = i.conversation_id where c.payer_id is not null'),
        ('skill_namespaces', 'select owner_id as account_id, 500 as bytes from %I'),
        ('skills', 'select owner_id as account_id, 1000 as bytes from %I'),
        ('skill_entitlements', 'select s.owner_id as account_id, 300 as bytes from %I e join skills s on s.id = e.skill_id'),
        ('bundles', 'select owner_id as account_id, 1000 as bytes from %I')
    $$;
    create function count_rows() returns trigger language plpgsql as $$
    declare
      counted text := (select query from counted_rows() where name = tg_table_name);
      changed text := case tg_op when 'INSERT' then 'fresh' else 'gone' end;
      sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      execute 'insert into usage_changes (account_id, bytes) select account_id, $1 * sum(bytes) from ('
        || format(counted, changed) || ') as counted group by 1' using sign;
      return null;
    end $$;
    do $$
    declare
      counted text;
    begin
      for counted in select name from counted_rows() loop
        execute format('create trigger rows_stored after insert on %I
          referencing new table as fresh for each statement execute function count_rows()', counted);
        execute format('create trigger rows_deleted after delete on %I
          referencing old table as gone for each statement execute function count_rows()', counted);
      end loop;
    end $$;

    -- As before, with a flat amount for each version.
    create or replace function count_skills() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select s.owner_id, sum(300 + octet_length(v.descriptor)) from fresh v join skills s on s.id = v.skill_id group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select s.owner_id, -sum(300 + octet_length(v.descriptor)) from gone v join skills s on s.id = v.skill_id group by 1;
      end if;
      return null;
    end $$;
    create or replace function count_bundles() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into usage_changes (account_id, bytes)
          select b.owner_id, sum(300 + octet_length(v.manifest) + octet_length(v.kits::text))
          from fresh v join bundles b on b.id = v.bundle_id group by 1;
      else
        insert into usage_changes (account_id, bytes)
          select b.owner_id, -sum(300 + octet_length(v.manifest) + octet_length(v.kits::text))
          from gone v join bundles b on b.id = v.bundle_id group by 1;
      end if;
      return null;
    end $$;

    -- Counts everything anew, as before, in one statement.
    create or replace function recount_usage() returns void language plpgsql as $$
    declare
      others text := (select string_agg(format(' union all select account_id, bytes, 0, 0 from (' || query || ') as counted',
        name), '') from counted_rows());
    begin
      perform pg_advisory_xact_lock(7213005);
      execute $recount$
      with stored as (
          select coalesce(a.owner_id, m.sender_id) as account_id, 400 + coalesce(octet_length(m.envelope), 0)::bigint as bytes,
            0 as versions, 0 as group_members
          from messages m left join agents a on m.sender_kind = 'agent' and a.id = m.sender_id
        union all
          select a.owner_id, octet_length(m.manifest::text), 1, 0
          from agent_manifests m join agents a on a.id = m.agent_id
        union all
          select owner_id, 1000, 0, 0 from agents
        union all
          select s.owner_id, 300 + octet_length(v.descriptor), 0, 0 from skill_versions v join skills s on s.id = v.skill_id
        union all
          select b.owner_id, 300 + octet_length(v.manifest) + octet_length(v.kits::text), 0, 0
          from bundle_versions v join bundles b on b.id = v.bundle_id
        union all
          select owner_id, octet_length(data), 0, 0 from kit_files
        union all
          select payer_id, 500, 0, 0 from conversations
        union all
          select c.payer_id, 500, 0, (c.kind = 'group' and m.left_at is null)::int
          from members m join conversations c on c.id = m.conversation_id
        union all
          select c.payer_id, 300 + octet_length(s.statement::text), 0, 0
          from group_statements s join conversations c on c.id = s.conversation_id
        union all
          select c.payer_id, 300 + octet_length(e.payload::text), 0, 0
          from conversation_events e join conversations c on c.id = e.conversation_id
        union all
          select account_id, 1000, 0, 0 from h2a_relations
        union all
          select r.account_id, 300 + octet_length(l.entry::text), 0, 0
          from ledger_entries l join h2a_relations r on r.id = l.relation_id
        union all
          select idempotency_payer(caller), 400 + coalesce(octet_length(reply), 0), 0, 0 from idempotency_keys
        union all
          select account_id, webhook_event_bytes(payload, envelope, agent_ids), 0, 0 from webhook_events
        union all
          select coalesce(e.account_id, a.owner_id), 600, 0, 0 from webhook_deliveries d
          left join webhook_events e on e.id = d.event_id
          left join agents a on a.id = d.agent_id and d.event_type = 'ping'$recount$ || others || $recount$),
      sums as (
        select account_id, sum(bytes) as bytes, sum(versions) as versions, sum(group_members) as group_members
        from stored where account_id is not null group by 1),
      added as (delete from usage_changes),
      empty as (
        delete from account_usage u where not exists (select from sums where sums.account_id = u.account_id))
      insert into account_usage (account_id, bytes, versions, group_members)
        select account_id, bytes, versions, group_members from sums
      on conflict (account_id) do update set bytes = excluded.bytes, versions = excluded.versions,
        group_members = excluded.group_members$recount$;
    end $$;
    insert into backfills select 'count_usage' where exists (select from accounts) on conflict do nothing;
    -- What agents left behind that were deleted before.
    insert into backfills select 'empty_deleted_agents' where exists (select from agents where status = 'deleted')
      on conflict do nothing;
  `,

  '0029_operator_log_kept': `
    -- The trigger for each row does not see a truncate.
    create trigger admin_actions_kept before truncate on admin_actions
      for each statement execute function keep_admin_actions();
  `,

  '0032_webhook_failing': `
    -- Unlike failures, which begins again when an attempt is asked for.
    alter table webhooks add column failing_since timestamptz;
    alter table webhooks add column failing_status integer;
    alter table webhooks add column failing_error text;
  `,
};
