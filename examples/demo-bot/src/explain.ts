import type { ToolError } from '@parley/agent';

export type Say = (en: string, zh: string) => string;

/** What a person reads when a call came to nothing. The reason itself is a code, and its detail is written for programs. */
export function explain({ reason }: ToolError, say: Say): string {
  switch (reason) {
    case 'user_refused':
      return say('All right, I’ll leave it.', '好的，那就不做了。');
    case 'user_timeout':
      return say(
        'I got no answer, so I left it. Ask me again any time.',
        '没有收到您的答复，所以我没有继续。您可以随时再问我。',
      );
    case 'scope_not_granted':
    case 'permission_revoked':
      return say(
        'You haven’t allowed me to do that. Turn it on in my permissions, then ask me again.',
        '您没有授予我这项权限。请在我的权限中开启，然后再问我一次。',
      );
    case 'tool_not_supported_in_group':
      return say('I can’t do that in a group. Message me directly.', '群聊中不能这样做。请单独给我发消息。');
    case 'TOOL_UNAVAILABLE':
      return say('This device can’t do that. Try it on another device.', '此设备无法做到。请在另一台设备上试试。');
    case 'TOOL_PLATFORM_ERROR':
      return say(
        'Your device tried, but it didn’t work. Ask me again in a moment.',
        '您的设备试过了，但没有成功。请稍后再问我一次。',
      );
    case 'tool_timeout':
    case 'no_answer':
      return say('Your device took too long. Ask me again in a moment.', '您的设备没有及时完成。请稍后再问我一次。');
    default:
      return say('Sorry, that didn’t work. Ask me again in a moment.', '抱歉，没有成功。请稍后再问我一次。');
  }
}
