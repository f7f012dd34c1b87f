import type { TextTable } from '../../i18n/text-table.ts';

const en = {
  title: 'Settings',
  account: 'Account',
  accountId: 'Account id',
  signOut: 'Sign out',
  signOutLead: 'The keys stay on this device: sign in again and everything is as it was.',
  forget: 'Forget this device',
  forgetLead:
    'Signs out, removes this device from your account and erases its keys and messages. They cannot be brought back.',
  forgetLastKeeper:
    'No other device keeps the account key. Afterwards, only the recovery secret lets you add or remove devices.',
  forgetSecret: 'Your recovery secret is still on this device, and goes with it. Save it first.',
  appearance: 'Language and look',
  devices: {
    title: 'Devices',
    lead: 'Only devices that you let in can read what is sent to you; the server cannot add one. Keepers hold the account key: on them, you let devices in and remove them.',
    current: 'this device',
    keeper: 'keeper',
    waiting: 'waits for approval',
    cutOff: 'shut out',
    unnamed: 'Device {{id}}',
    added: 'added {{time}}',
    cutOffLead:
      'The server no longer lets it in, but your signed list still names it. Confirm that it is gone, so that nobody can bring it back.',
    cutOffElsewhere:
      'The server no longer lets it in, but your signed list still names it. Confirm on a keeper that it is gone.',
    noKeeper: 'This device does not keep the account key',
    noKeeperLead:
      'To let a device in, or to remove one for good, use a device that is marked “keeper”. There you can also make this one a keeper.',
    approve: 'Approve',
    approveTitle: 'Approve “{{name}}”',
    approveLead:
      'Type the code that the new device shows. If it is refused although you typed it right, do not let the device in: someone may be putting other keys in its place.',
    code: 'Code of the new device',
    codeHint: 'Five groups of five digits.',
    keepToo: 'Let this device keep the account key, too',
    keepTooHint:
      'Then you can let devices in and remove them from either of the two, and losing one of them does no harm. Do not tick this for a device that other people use.',
    keep: 'Make a keeper',
    keepTitle: 'Make a keeper of “{{name}}”',
    keepLead:
      'It gets the account key, sealed for it alone. Then you can let devices in and remove them there, too, and losing one keeper does no harm. It stays a keeper until you remove the device.',
    remove: 'Remove',
    removeTitle: 'Remove “{{name}}”',
    removeLead: {
      waiting: 'It was not let in yet. Its request is dropped, and it is signed out.',
      signed:
        'It is signed out at once and gets nothing more, and what it signs from now on does not count. Your account key signs this, so not even the server can undo it.',
      keeper:
        'It is signed out at once and gets nothing more, and what it signs from now on does not count. Your account key signs this, so not even the server can undo it. Because the device keeps the account key, the key is replaced as well: its copy is worthless afterwards.',
      elsewhere:
        'This device does not keep the account key, so it cannot sign this. The server shuts the other one out at once; it is final when you confirm it on a keeper.',
      cutOff:
        'The server says that this device is gone. If you or another device of yours removed it, confirm it: your account key signs it, and it is final. If nobody did, wait: the device works again as soon as the server lets it in.',
      cutOffKeeper:
        'The server says that this device is gone. If you or another device of yours removed it, confirm it: your account key signs it, it is final, and the account key is replaced, because that device has a copy. If nobody did, wait: the device works again as soon as the server lets it in.',
    },
    confirm: 'Confirm',
    confirmTitle: 'Confirm that “{{name}}” is gone',
    accountKey: 'Account key',
    accountKeyLead: 'It signs the list of your devices. Replace it if someone may have a copy.',
    rotate: 'Replace the key',
    rotateTitle: 'Replace the account key',
    rotateLead:
      'Whoever has a copy of the old key can do nothing with it any more. Your devices, agents and conversations stay as they are, the other keepers get the new key by themselves, and your recovery secret stays the same.',
    rotated: 'The account key was replaced.',
    noHistory: 'A new device has no old messages: they were never sealed for it.',
  },
  fork: {
    title: 'There are two versions of your device list',
    what: 'Two different changes were signed with your account key, both as the next one. Parley cannot know which of them is yours, so it has stopped: nothing is sent, and agents may do nothing.',
    why: 'Someone may have a copy of your account key, or the server showed your devices different lists.',
    do: 'Enter your recovery secret. The devices that are named below and in the other version stay, all others are removed, and the account key is replaced. A device that is missing afterwards can be added again.',
    secret: 'Recovery secret',
    secretHint: 'Seven groups of four letters and digits, as you saved them when you created the account.',
    settle: 'Settle it',
  },
  recovery: {
    title: 'Recovery secret',
    lead: 'If you lose all your devices, it lets you back into your account and shuts the lost ones out.',
    saved: 'You have it in a safe place. It is not on this device any more.',
    elsewhere:
      'It is not on this device. It was shown where the account was created, until you confirmed that you have it in a safe place. It stays the same for the whole life of the account. If you cannot find it, see to it that at least two of your devices are keepers.',
  },
  passkeys: {
    title: 'Passkeys',
    lead: 'Sign in with your fingerprint, face or security key instead of a password.',
    none: 'No passkey yet.',
    add: 'Add a passkey',
    name: 'Name of the passkey',
    remove: 'Remove',
    unsupported: 'This browser cannot use passkeys here.',
    used: 'used {{time}}',
    never: 'not used yet',
  },
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    change: 'Change password',
    done: 'Changed. All other sessions were signed out.',
  },
  sessions: {
    title: 'Sessions',
    current: 'this session',
    end: 'End',
    seen: 'since {{time}}',
  },
  notifications: {
    title: 'Notifications',
    lead: 'When an agent asks while this tab is hidden, a notification tells you.',
    enable: 'Turn on notifications',
    on: 'Notifications are on.',
    blocked: 'Notifications are blocked in the browser’s settings for this site.',
  },
  data: {
    title: 'Your data',
    export: 'Export account data',
    delete: 'Delete account',
    deleteLead: 'Deletes your account on the server for good. Agents lose all permissions.',
    confirm: 'Your password',
  },
  trust: {
    title: 'Where trust is needed',
    lead: 'Two things this page cannot protect you from: a first contact whose key nobody compared, and the code of this page itself, which comes from the server. The command line client has its code from elsewhere.',
  },
};

export const settings: TextTable<typeof en> = {
  en,
  'zh-CN': {
    title: '设置',
    account: '账户',
    accountId: '账户 ID',
    signOut: '退出登录',
    signOutLead: '密钥保留在此设备上：重新登录后一切照旧。',
    forget: '清除此设备',
    forgetLead: '退出登录、将此设备从你的账户中移除，并删除其密钥和消息，无法恢复。',
    forgetLastKeeper: '没有其他设备保管账户密钥。之后只有用恢复密钥才能添加或移除设备。',
    forgetSecret: '你的恢复密钥还在此设备上，会一并删除。请先保存。',
    appearance: '语言与外观',
    devices: {
      title: '设备',
      lead: '只有你允许加入的设备才能读取发给你的内容，服务器无法擅自添加设备。保管设备持有账户密钥：你在这些设备上批准和移除设备。',
      current: '本设备',
      keeper: '保管设备',
      waiting: '等待批准',
      cutOff: '已被服务器阻止',
      unnamed: '设备 {{id}}',
      added: '添加于 {{time}}',
      cutOffLead: '服务器不再让它登录，但你签名的列表中仍有它。请确认它已不再使用，以免有人再把它放进来。',
      cutOffElsewhere: '服务器不再让它登录，但你签名的列表中仍有它。请在保管设备上确认它已不再使用。',
      noKeeper: '此设备不保管账户密钥',
      noKeeperLead: '要批准设备或彻底移除设备，请使用标有“保管设备”的设备。你也可以在那里将此设备设为保管设备。',
      approve: '批准',
      approveTitle: '批准“{{name}}”',
      approveLead:
        '请输入新设备上显示的代码。若输入无误仍被拒绝，请不要让该设备加入：可能有人在用其他密钥替换它的密钥。',
      code: '新设备的代码',
      codeHint: '五组数字，每组五位。',
      keepToo: '让这台设备也保管账户密钥',
      keepTooHint: '这样你在两台设备上都能批准和移除设备，丢失其中一台也没有关系。与他人共用的设备请不要勾选。',
      keep: '设为保管设备',
      keepTitle: '将“{{name}}”设为保管设备',
      keepLead:
        '它会得到只有它能打开的账户密钥。之后你在它上面也能批准和移除设备，丢失一台保管设备也没有关系。在你移除它之前，它一直是保管设备。',
      remove: '移除',
      removeTitle: '移除“{{name}}”',
      removeLead: {
        waiting: '它还没有加入。它的请求会被丢弃，并退出登录。',
        signed:
          '它会立即退出登录，不再收到任何内容，此后由它签名的内容均不生效。这由你的账户密钥签名，服务器也无法撤销。',
        keeper:
          '它会立即退出登录，不再收到任何内容，此后由它签名的内容均不生效。这由你的账户密钥签名，服务器也无法撤销。由于它保管着账户密钥，密钥会同时更换，它手中的副本随即失效。',
        elsewhere: '此设备不保管账户密钥，因此无法签名。服务器会立即阻止那台设备；你在保管设备上确认后才最终生效。',
        cutOff:
          '服务器称这台设备已不存在。如果是你或你的另一台设备移除了它，请确认：由账户密钥签名后最终生效。如果没有人移除它，请等待：服务器让它登录后，它即可恢复使用。',
        cutOffKeeper:
          '服务器称这台设备已不存在。如果是你或你的另一台设备移除了它，请确认：由账户密钥签名后最终生效，账户密钥也会同时更换，因为那台设备有副本。如果没有人移除它，请等待：服务器让它登录后，它即可恢复使用。',
      },
      confirm: '确认',
      confirmTitle: '确认“{{name}}”已不再使用',
      accountKey: '账户密钥',
      accountKeyLead: '它用于签名你的设备列表。如果可能有人持有副本，请更换。',
      rotate: '更换密钥',
      rotateTitle: '更换账户密钥',
      rotateLead:
        '持有旧密钥副本的人将无法再用它做任何事。你的设备、Agent 和会话保持不变，其他保管设备会自动得到新密钥，恢复密钥也不变。',
      rotated: '账户密钥已更换。',
      noHistory: '新设备没有旧消息：它们从未为该设备加密。',
    },
    fork: {
      title: '你的设备列表有两个版本',
      what: '有两处不同的更改都以“下一条”的名义用你的账户密钥签了名。Parley 无法判断哪一个是你的，因此已停止：不会发送任何内容，Agent 也不能执行任何操作。',
      why: '可能有人持有你的账户密钥的副本，也可能是服务器向你的设备给出了不同的列表。',
      do: '请输入恢复密钥。下面列出且在另一个版本中也有的设备会保留，其余设备会被移除，账户密钥会更换。之后缺少的设备可以重新添加。',
      secret: '恢复密钥',
      secretHint: '七组字符，每组四个字母或数字，即创建账户时你保存的内容。',
      settle: '就此裁定',
    },
    recovery: {
      title: '恢复密钥',
      lead: '若丢失所有设备，你可以用它找回账户，并将丢失的设备排除在外。',
      saved: '你已将它保存在安全的地方。它已不在此设备上。',
      elsewhere:
        '它不在此设备上。它曾在创建账户的设备上显示，直到你确认已将它保存在安全的地方。它在账户存在期间始终不变。如果找不到它，请确保至少有两台保管设备。',
    },
    passkeys: {
      title: '通行密钥',
      lead: '用指纹、面容或安全密钥登录，无需密码。',
      none: '还没有通行密钥。',
      add: '添加通行密钥',
      name: '通行密钥的名称',
      remove: '移除',
      unsupported: '此浏览器无法在这里使用通行密钥。',
      used: '使用于 {{time}}',
      never: '尚未使用',
    },
    password: {
      title: '密码',
      current: '当前密码',
      next: '新密码',
      change: '更改密码',
      done: '已更改。其他会话均已退出登录。',
    },
    sessions: {
      title: '登录会话',
      current: '当前会话',
      end: '结束',
      seen: '自 {{time}}',
    },
    notifications: {
      title: '通知',
      lead: '当此标签页不可见而 Agent 提出请求时，会用通知提醒你。',
      enable: '开启通知',
      on: '通知已开启。',
      blocked: '浏览器设置中已屏蔽本站的通知。',
    },
    data: {
      title: '你的数据',
      export: '导出账户数据',
      delete: '删除账户',
      deleteLead: '从服务器上永久删除你的账户。所有 Agent 失去全部权限。',
      confirm: '你的密码',
    },
    trust: {
      title: '哪里需要信任',
      lead: '有两件事此页面无法保护你：没有人比对过密钥的首次接触，以及来自服务器的页面代码本身。命令行客户端的代码另有来源。',
    },
  },
};
