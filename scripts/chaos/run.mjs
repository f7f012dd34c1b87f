import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createCaller } from './call.mjs';
import { findFaults } from './check.mjs';
import { createJournal } from './journal.mjs';
import { startLoad } from './load.mjs';
import { drain, startNodes } from './nodes.mjs';
import { createParties } from './parties.mjs';
import { makePlan } from './plan.mjs';
import { createRandom } from './random.mjs';
import { readConversation, readVersions } from './read.mjs';

const SETTLE_MS = 30_000;
const SECONDS_PER_ROUND = 15;
const SECONDS_BESIDES = 240;

/**
 * Load on two servers while they and their Postgres are killed. Returns the figures and every promise that was broken.
 * Needs a build. `tell` gets a line for each round; `pace` makes everyone talk so many times slower.
 */
export async function runChaos({ rounds, seed, pace = 1, restMs = [1_000, 3_500], tell = () => {} }) {
  const random = createRandom(seed);
  const began = performance.now();
  const isOver = () => performance.now() - began > 1_000 * (SECONDS_BESIDES + SECONDS_PER_ROUND * rounds);
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  // Postgres runs as another user where we are root, and must get there; else its data would lie elsewhere and stay.
  chmodSync(folder, 0o711);
  const journal = createJournal();
  const tally = { retries: 0, reconnects: 0, links: 0, answers: {}, kills: {}, restartMs: 0 };
  const nodes = await startNodes(folder);
  let faults = journal.faults;
  let load;
  try {
    const call = createCaller({ urls: nodes.urls, tally, isOver });
    const parties = await createParties(call);
    load = startLoad({ urls: nodes.urls, call, parties, journal, tally, random, pace });
    journal.listen(true);
    for (const [index, action] of makePlan(rounds, random).entries()) {
      await sleep(random.between(...restMs));
      await waitFor(createProgress(journal), isOver);
      const start = performance.now();
      await act(nodes, action, journal);
      const took = performance.now() - start;
      tally.kills[action] = (tally.kills[action] ?? 0) + 1;
      tally.restartMs = Math.max(tally.restartMs, took);
      tell(`round ${index + 1} of ${rounds}: ${action}, ready after ${Math.round(took)} ms, ${journal.acks} acked`);
    }
    await waitFor(createProgress(journal), isOver);
    journal.listen(false);
    await load.stopTalking();
    const stored = await readStored(nodes, parties, { tally, isOver, journal });
    const settled = Date.now() + SETTLE_MS;
    await waitFor(() => hasEverything(journal, stored) || Date.now() > settled, isOver);
    await load.stopReading();
    const versions = await readVersions(call, load.published);
    faults = [...journal.faults, ...findFaults({ ...journal, stored, versions, firstVersion: 1 })];
  } catch (error) {
    faults = [...journal.faults, { rule: 'run', text: `the run could not be finished: ${error.message}` }];
    load?.abandon();
  } finally {
    faults = [...faults, ...(await nodes.stop()).map((text) => ({ rule: 'drain', text }))];
  }
  const isSound = faults.length === 0;
  if (isSound) rmSync(folder, { recursive: true, force: true });
  return { ...summarise(journal, tally, (performance.now() - began) / 1_000), faults, ...(isSound ? {} : { folder }) };
}

/** Does it, and waits until both servers answer again. */
async function act(nodes, action, journal) {
  const chosen = { first: [nodes.first], second: [nodes.second], both: [nodes.first, nodes.second] };
  if (action.startsWith('postgres')) {
    await nodes.replacePostgres(action === 'postgres-kill' ? 'SIGKILL' : 'SIGINT');
  } else if (action.startsWith('drain')) {
    const node = nodes[action.slice('drain-'.length)];
    for (const text of await drain(node)) journal.fault('drain', text);
    await node.start();
  } else {
    await Promise.all(chosen[action].map((node) => node.stop('SIGKILL')));
    // The second needs the database that the first starts.
    for (const node of chosen[action]) await node.start();
  }
  await Promise.all([nodes.first.waitReady(), nodes.second.waitReady()]);
}

/** Some messages more than now. */
function createProgress(journal) {
  const { acks } = journal;
  return () => journal.acks > acks + 15;
}

async function waitFor(isDone, isOver) {
  while (!isDone()) {
    if (isOver()) throw new Error('the time is over');
    await sleep(50);
  }
}

/** By both nodes, which must say the same. */
async function readStored({ urls }, { conversations }, { tally, isOver, journal }) {
  const readings = [];
  for (const url of urls) {
    const call = createCaller({ urls: [url], tally, isOver });
    const reading = [];
    for (const { id, members } of conversations) {
      const person = members.find(({ kind }) => kind === 'human');
      reading.push(await readConversation(call, id, person.archive));
    }
    readings.push(reading);
  }
  if (!isDeepStrictEqual(readings[0], readings[1])) journal.fault('TR-3', 'the two servers do not read the same');
  return readings[0];
}

function hasEverything({ handled }, stored) {
  return handled.every(({ party, last }) =>
    stored.every(({ conversation, messages }) => {
      const wanted = messages.findLast(({ sender }) => sender.id !== party.id)?.conversation_seq ?? 0;
      return !last.has(conversation) || last.get(conversation) >= wanted;
    }),
  );
}

function summarise({ acks, sends, handled, patches, longestSilenceMs }, tally, seconds) {
  return {
    seconds: Math.round(seconds),
    messages: sends.size,
    acked: acks,
    handled: handled.reduce((sum, { messages }) => sum + messages.length, 0),
    versions: patches.length,
    kills: tally.kills,
    reconnects: tally.reconnects,
    retries: tally.retries,
    refusals: tally.answers,
    longest_restart_ms: Math.round(tally.restartMs),
    longest_outage_ms: Math.round(longestSilenceMs),
  };
}
