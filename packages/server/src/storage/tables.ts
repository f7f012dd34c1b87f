import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Time = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** bigint columns arrive as numbers (see database.ts): none of ours exceeds 2^53. */
type Big = ColumnType<number, number | undefined, number>;
// biome-ignore lint/suspicious/noExplicitAny: the shape is checked where it is read
type JsonColumn<T = any> = JSONColumnType<T & object, string, string>;

export interface Database {
  accounts: {
    id: string;
    email: string;
    display_name: string;
    password_hash: string | null;
    role: Generated<'user' | 'admin'>;
    status: Generated<'active' | 'banned' | 'deleted'>;
    account_key: string | null;
    known_device_epoch: Generated<number>;
    created_at: Time;
  };
  contact_codes: { account_id: string; code: string; created_at: Time };
  contacts: { account_id: string; contact_id: string; created_at: Time };
  contact_requests: {
    id: string;
    asker_id: string;
    named_kind: 'code' | 'agent' | 'account';
    named: string;
    account_id: string | null;
    heard: boolean;
    heard_at: NullableTime;
    declined_at: NullableTime;
    created_at: Time;
  };
  blocks: {
    account_id: string;
    blocked_id: string;
    since: Time;
    until: NullableTime;
    since_seq: Generated<number>;
    until_seq: number | null;
  };
  group_invitations: {
    id: string;
    conversation_id: string;
    account_id: string;
    inviter_id: string;
    heard: boolean;
    heard_at: NullableTime;
    accepted_at: NullableTime;
    declined_at: NullableTime;
    declined_of: string | null;
    withdrawn_at: NullableTime;
    created_at: Time;
  };
  invitations: {
    id: string;
    code_hash: string;
    role: Generated<'user' | 'admin'>;
    note: Generated<string>;
    created_by: string | null;
    uses: number;
    used: Generated<number>;
    created_at: Time;
    expires_at: Time;
    revoked_at: NullableTime;
  };
  password_resets: {
    code_hash: string;
    account_id: string;
    created_by: string | null;
    network_hash: string | null;
    created_at: Time;
    expires_at: Time;
  };
  account_notices: {
    id: string;
    account_id: string;
    kind:
      | 'password_changed'
      | 'password_reset'
      | 'operator_reset_link'
      | 'passkey_added'
      | 'passkey_removed'
      | 'program_let_in'
      | 'email_changed';
    detail: Generated<string>;
    created_at: Time;
  };
  /** Counts wrong guesses (AC-1) under the hash of a name, which is not only an address. */
  login_failures: { email_hash: string; failures: number; locked_until: NullableTime; updated_at: Time };
  email_codes: { email_hash: string; code_hash: string; attempts: Generated<number>; expires_at: Time };
  devices: {
    id: string;
    account_id: string;
    name: string;
    identity_key: string;
    exchange_key: string;
    /** Of an account that has no device list yet (EE-14). */
    certificate: JsonColumn | null;
    /** By the device list, or before there was one by a certificate. */
    listed: Generated<boolean>;
    pairing: string | null;
    welcome: string | null;
    welcomed_at: NullableTime;
    created_at: Time;
    last_seen_at: NullableTime;
    revoked_at: NullableTime;
  };
  sessions: {
    id: string;
    account_id: string;
    device_id: string | null;
    family_hash: string;
    refresh_hash: string;
    previous_hash: string | null;
    rotated_at: NullableTime;
    rotated_by: Generated<string | null>;
    verified_at: NullableTime;
    passkey_id: Generated<string | null>;
    user_agent: string | null;
    created_at: Time;
    used_at: Time;
    expires_at: Time;
    revoked_at: NullableTime;
  };
  passkeys: {
    credential_id: string;
    account_id: string;
    name: string;
    public_key: Buffer;
    counter: Big;
    transports: JsonColumn<string[]>;
    created_at: Time;
    used_at: NullableTime;
  };
  passkey_challenges: {
    id: string;
    purpose: 'register' | 'login';
    challenge: string;
    account_id: string | null;
    expires_at: Time;
  };
  device_grants: {
    device_code_hash: string;
    user_code_hash: string;
    client_name: string;
    status: Generated<'pending' | 'approved' | 'denied' | 'used'>;
    account_id: string | null;
    polled_at: NullableTime;
    interval_seconds: number;
    expires_at: Time;
  };
  signed_prekeys: {
    owner_kind: 'device' | 'agent';
    owner_id: string;
    key_id: number;
    public_key: string;
    signature: string;
    created_at: Time;
  };
  one_time_prekeys: { owner_kind: 'device' | 'agent'; owner_id: string; key_id: number; public_key: string };
  prekey_stocks: { owner_kind: 'device' | 'agent'; owner_id: string; last_key_id: number };
  prekey_takings: {
    taker_kind: 'human' | 'agent';
    taker_id: string;
    owner_kind: 'device' | 'agent';
    owner_id: string;
    day: ColumnType<Date, string, string>;
    taken: number;
  };
  agents: {
    id: string;
    owner_id: string;
    name: string;
    description: Generated<string>;
    visibility: Generated<'public' | 'private'>;
    status: Generated<'active' | 'suspended' | 'banned' | 'deleted'>;
    connection_mode: Generated<'websocket' | 'polling' | 'webhook'>;
    connection_mode_signature: string | null;
    identity_key: string | null;
    exchange_key: string | null;
    capability_manifest: JsonColumn | null;
    capability_manifest_version: Generated<number>;
    capability_manifest_hash: string | null;
    warnings: JsonColumn<unknown[]>;
    unreachable_since: NullableTime;
    search: string | null;
    tool_names: Generated<string[]>;
    scope_ids: Generated<string[]>;
    flags: Generated<string[]>;
    highest_sensitivity: string | null;
    created_at: Time;
    updated_at: Time;
  };
  agent_manifests: {
    agent_id: string;
    version: number;
    manifest: JsonColumn;
    hash: string;
    breaking: boolean;
    created_at: Time;
  };
  agent_tokens: {
    id: string;
    agent_id: string;
    token_hash: string;
    created_at: Time;
    expires_at: NullableTime;
    revoked_at: NullableTime;
  };
  idempotency_keys: {
    caller: string;
    key: string;
    request_hash: string;
    reply: string | null;
    created_at: Time;
  };
  conversations: {
    id: string;
    kind: 'h2a' | 'h2h' | 'group' | 'account';
    title: string | null;
    last_seq: Big;
    last_message_at: NullableTime;
    forgotten_seq: Big;
    /** Whose budgets it counts for; null where nobody pays. */
    payer_id: string | null;
    created_at: Time;
  };
  members: {
    conversation_id: string;
    member_kind: 'human' | 'agent';
    member_id: string;
    role: Generated<'owner' | 'admin' | 'member'>;
    joined_seq: Big;
    read_seq: Big;
    left_at: NullableTime;
    joined_event: Generated<number>;
  };
  messages: {
    conversation_id: string;
    seq: Big;
    id: string;
    client_message_id: string;
    sender_kind: 'human' | 'agent';
    sender_id: string;
    sender_device_id: string | null;
    content_type: string;
    msg_subtype: string;
    envelope: string | null;
    envelope_hash: Buffer;
    created_at: Time;
    received_at: Time;
  };
  cursors: {
    consumer_kind: 'device' | 'agent';
    consumer_id: string;
    conversation_id: string;
    seq: Big;
    updated_at: Time;
  };
  claims: { message_id: string; device_id: string; created_at: Time };
  tool_call_times: { agent_id: string; sent_at: Time; calls: number };
  h2a_relations: {
    id: string;
    account_id: string;
    agent_id: string;
    conversation_id: string;
    status: Generated<'active' | 'suspended' | 'ended'>;
    granted_scopes: JsonColumn<string[]>;
    agreed_version: number;
    agreed_hash: string | null;
    agreed_mode: Generated<'websocket' | 'polling' | 'webhook'>;
    signed: Generated<boolean>;
    ledger_length: Generated<number>;
    ledger_head: string | null;
    created_at: Time;
    updated_at: Time;
    ended_at: NullableTime;
  };
  pending_scopes: { agent_id: string; agreed_version: number; scopes: JsonColumn<string[]> };
  ledger_entries: { relation_id: string; seq: number; hash: string; entry: JsonColumn; created_at: Time };
  events: {
    id: Generated<number>;
    recipient_kind: 'human' | 'agent';
    recipient_id: string;
    type: string;
    payload: JsonColumn;
    position: ColumnType<number | null, number | null | undefined, number | null>;
    /** Who caused it; null where it counts for nobody. */
    account_id: string | null;
    created_at: Time;
  };
  conversation_events: {
    id: Generated<number>;
    conversation_id: string;
    type: string;
    payload: JsonColumn;
    position: ColumnType<number | null, number | null | undefined, number | null>;
    created_at: Time;
  };
  agent_tails: { agent_id: string; last_number: Big };
  agent_events: { agent_id: string; number: Big; type: string; fields: JsonColumn; at: Time };
  event_cursors: { consumer_kind: 'device' | 'agent'; consumer_id: string; event_id: Big };
  webhooks: {
    agent_id: string;
    url: string;
    secret: string;
    previous_secret: string | null;
    previous_until: NullableTime;
    failures: Generated<number>;
    paused_until: NullableTime;
    /** Since the first of the attempts that failed in a row; the last of them gave this status or error. */
    failing_since: NullableTime;
    failing_status: number | null;
    failing_error: string | null;
    created_at: Date;
    updated_at: Date;
  };
  webhook_events: {
    id: Generated<number>;
    account_id: string;
    event_type: string;
    payload: string;
    conversation_id: string | null;
    seq: number | null;
    envelope: string | null;
    agent_ids: string[] | null;
    deliveries: number;
    created_at: Date;
  };
  webhook_queues: { agent_id: string; due_at: NullableTime; leased_until: NullableTime };
  webhook_deliveries: {
    id: string;
    agent_id: string;
    event_type: string;
    /** Null where it is that of an event. */
    body: string | null;
    event_id: number | null;
    /** Who caused it. */
    sender_id: Generated<string>;
    status: Generated<'pending' | 'delivered' | 'failed'>;
    attempts: Generated<number>;
    last_status: number | null;
    last_error: string | null;
    next_at: NullableTime;
    expires_at: Date;
    created_at: Date;
    delivered_at: NullableTime;
  };
  admin_actions: {
    id: string;
    admin_id: string;
    action: string;
    target_kind: 'account' | 'agent' | 'invitation';
    target_id: string;
    previous: string;
    reason: string;
    /** Where the request came from; null where it was done on the machine, or before this was recorded. */
    address: string | null;
    created_at: Date;
  };
  job_workers: { worker_id: string; seen_at: Time };
  socket_nodes: { id: string; seen_at: Time };
  connected_devices: { device_id: string; node_id: string; account_id: string };
  passes: { message_id: string; device_id: string; account_id: string; created_at: Time };
  device_statements: { account_id: string; seq: number; hash: string; statement: JsonColumn };
  group_statements: { conversation_id: string; seq: number; hash: string; statement: JsonColumn };
  skill_namespaces: { name: string; owner_id: string; host: Generated<boolean>; created_at: Time };
  skills: {
    id: string;
    owner_id: string;
    host: boolean;
    access: 'public' | 'restricted' | 'private';
    version: string | null;
    name: string;
    description: string;
    capability_type: string;
    provider: string;
    tags: Generated<string[]>;
    search: string;
    updated_at: Time;
  };
  skill_versions: {
    skill_id: string;
    version: string;
    descriptor: string;
    digest: string;
    access: 'public' | 'restricted' | 'private';
    yanked: Generated<boolean>;
    created_at: Time;
  };
  skill_entitlements: { skill_id: string; account_id: string; created_at: Time };
  bundles: {
    id: string;
    owner_id: string;
    version: string | null;
    name: string;
    summary: string;
    author: string | null;
    category: string | null;
    tags: Generated<string[]>;
    risk: string;
    digest: string;
    search: string;
    updated_at: Time;
  };
  bundle_versions: {
    bundle_id: string;
    version: string;
    manifest: string;
    kits: JsonColumn;
    digest: string;
    yanked: Generated<boolean>;
    created_at: Time;
  };
  mirror_kits: { slug: string; version: string; files: JsonColumn; digest: string; created_at: Time };
  kit_files: { sha256: string; data: Buffer; owner_id: string | null };
  clock_gaps: { began_at: Time; ended_at: Time };
  clock_readings: { only_row: Generated<boolean>; read_at: Time; steady_since: Time };
  account_budgets: { account_id: string; budget: string; value: Big };
  account_usage: { account_id: string; bytes: Big; versions: Big; group_members: Big };
  backfills: { task: string };
  usage_changes: { account_id: string; bytes: Big; versions: Big; group_members: Big };
}
