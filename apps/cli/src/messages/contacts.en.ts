/** Contacts and requests. */
export const contactsEn = {
  'contacts.incoming': 'Requests that wait for you',
  'contacts.invitations': 'Invitations to groups',
  'contacts.contacts': 'Contacts',
  'contacts.outgoing': 'Requests you have sent; what became of them is not told',
  'contacts.list_blocked': 'Blocked',
  'contacts.none': 'You have no contacts yet. Your code, to give to others: {parley} contacts code',
  'contacts.unnamed': 'Someone without a name',
  'contacts.by.code': 'has your contact code',
  'contacts.by.agent': 'found you through your agent {agent}',
  'contacts.by.conversation': 'is in a group with you',
  'contacts.group_of': 'A group of {name}',
  'contacts.invited_by': 'from {name}',
  'contacts.join_pending': 'accepted; you are in it as soon as {name} is online',
  'contacts.code_explained':
    'Whoever has this code can ask to become your contact, no more. Replace it with: {parley} contacts code --replace',
  'contacts.code_wrong': 'This isn’t a contact code. Check it for typing errors.',
  'contacts.id_wrong': 'This isn’t an ID. Check it for typing errors.',
  'contacts.ask_one': 'Give one of these: a contact code, --agent or --member.',
  'contacts.asked':
    'The request is sent. If they accept, you can write to each other; if they decline, or nobody is there, you are not told.',
  'contacts.already': '{name} is one of your contacts.',
  'contacts.accepted': '{name} is a contact now. Write with: {parley} chat',
  'contacts.joined': 'You are in the group {name}.',
  'contacts.join_waits': 'Accepted. You are in the group {name} as soon as the one who invited you is online.',
  'contacts.declined': 'Declined: {name}. They are not told.',
  'contacts.blocked':
    'Blocked: {name}. They are not told, and what they write does not arrive. In groups, what they and their agents write is hidden.',
  'contacts.unblocked': 'Unblocked: {name}. What they wrote in the meantime does not arrive.',
  'contacts.unknown': '“{who}” is nobody there, or more than one. Run {parley} contacts list to see the ids.',
  'contacts.waiting': 'Someone waits for an answer: /contacts',

  'help.contacts': 'Decide who can write to you: contacts, requests and blocking',
  'help.contacts.more': `Only contacts can write to you or add you to groups. Everyone else asks first:
with your code, by an agent of yours, or as a member of a group with you.

Examples:
  parley contacts code                        your code, to give to others
  parley contacts add K7M2-Q9RX-4TZD          ask someone who gave you theirs
  parley contacts list                        what waits, and who is there
  parley contacts accept Ada
  parley contacts block Mallory`,
  'help.contacts.list': 'List requests, invitations, contacts and the blocked',
  'help.contacts.list.more': `Names are what people call themselves.

Exit codes: 0 success, 1 not signed in or not approved yet, 2 wrong usage,
3 environment (such as: parley chat is running, which has /contacts).
--json prints { contacts, incoming, outgoing, blocked, invitations }.`,
  'help.contacts.code': 'Show your contact code',
  'help.contacts.code.more': `Whoever has it can ask to become your contact, no more.

Exit codes: 0 success, 1 not signed in, 2 wrong usage, 3 environment.
--json prints { code, replaced }.`,
  'help.contacts.add': 'Ask someone to become your contact',
  'help.contacts.add.more': `The answer is the same whether anyone is there or not: what becomes of the
request is told only if it is accepted.

Examples:
  parley contacts add https://parley.example/app/contact/K7M2Q9RX4TZD
  parley contacts add --agent 01890a5d-ac96-774b-bcce-b302099a8057

Exit codes: 0 asked, 1 refused, 2 not a code or an id, 3 environment.
--json prints { asked, contact }.`,
  'help.contacts.accept': 'Accept a request, or an invitation to a group',
  'help.contacts.accept.more': `Exit codes: 0 accepted, 1 there is none, 2 wrong usage, 3 environment.
--json prints { id, accepted, conversation_id, joined? }.`,
  'help.contacts.decline': 'Decline a request or an invitation; nobody is told',
  'help.contacts.decline.more': `Whoever asked is not heard again for 30 days. An invitation that you have
accepted is undone, as long as you are not in the group yet.

Exit codes: 0 declined, 1 there is none, 2 wrong usage, 3 environment.
--json prints { id, declined }.`,
  'help.contacts.block': 'Block someone; they are not told',
  'help.contacts.block.more': `What they write does not arrive, not even later; in groups, what they and their
agents write is hidden. They cannot add you to groups, you no longer use each
other's agents, and what either of you has asked or accepted before comes to
nothing. Nothing tells them, but they can find out if they try.

Exit codes: 0 blocked, 1 there is none, 2 wrong usage, 3 environment.
--json prints { user_id, blocked }.`,
  'help.contacts.unblock': 'Unblock someone',
  'help.contacts.unblock.more': `Exit codes: 0 unblocked, 1 there is none, 2 wrong usage, 3 environment.
--json prints { user_id, blocked }.`,
  'help.option.replace_code': 'make a new one; the old one leads nowhere then',
  'help.option.ask_owner': 'ask the owner of this agent',
  'help.option.ask_member': 'ask someone in a group with you, by their account id',
  'help.argument.contact_code': 'a contact code, or a link with one',
  'help.argument.contact_who': 'a name, an id, or the beginning of one',
  'chat.help.contacts': 'requests, invitations, contacts, and who is blocked',
  'chat.help.ask': 'ask someone to become your contact',
  'chat.help.accept': 'accept a request or an invitation',
  'chat.help.decline': 'decline one; nobody is told',
  'chat.help.block': 'block someone; they are not told',
  'chat.help.unblock': 'unblock someone',
};
