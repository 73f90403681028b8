import type { ToolUse } from './approval-action.ts'
import { type ActionKind, describeToolUse } from './describe-action.ts'

const LONG_CHARACTERS = 500
const LONG_LINES = 10

// Control and format characters hide or reorder text on a screen. Tab and line feed are normal.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** What is worth a second look in a command. The patterns read words, not shell grammar, so they only inform. */
const IN_COMMANDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['runs as another user', /(?:^|[\s;&|(`])(?:sudo|doas|su|runuser|pkexec)\s/],
  [
    'deletes recursively',
    /(?:^|[\s;&|(`/])rm\s+(?:-\S{1,40}\s+){0,20}-[A-Za-z]*[rR]|\bfind\b.{0,300}\s-delete\b|\brimraf\b/,
  ],
  [
    'pipes into a shell',
    /\|\s*(?:\S*\/)?(?:sudo\s+)?(?:ba|da|z|k|fi)?sh\b|\|\s*(?:python3?|node|perl|ruby)\b/,
  ],
  ['runs text as code', /(?:^|[\s;&|(`])eval\s|<\(\s*(?:curl|wget)|\bbase64\s+(?:-d|-D|--decode)\b/],
  [
    'uses the network',
    /(?:^|[\s;&|(`/])(?:curl|wget|nc|ncat|ssh|scp|sftp|rsync|telnet|ftp)\s|\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bgit\s+(?:push|pull|fetch|clone)\b/,
  ],
  ['publishes', /\b(?:npm|pnpm|yarn|cargo|gem|twine|docker)\s+(?:publish|push|upload)\b|\bgit\s+push\b/],
  [
    'installs software',
    /\b(?:npm|pnpm|yarn|bun)\s+(?:i|install|add|ci)\b|\b(?:pip3?|gem|cargo|brew|apt|apt-get|dnf|apk)\s+(?:install|add)\b|\bpacman\s+-S/,
  ],
  [
    'discards changes in git',
    /\bgit\s+(?:reset\s+--hard|clean\b|checkout\s+--\s|push\s.{0,200}(?:--force|-f\b))/,
  ],
  ['changes permissions', /(?:^|[\s;&|(`])(?:chmod|chown|setfacl)\s/],
  ['stops processes', /(?:^|[\s;&|(`])(?:kill|pkill|killall)\s/],
  [
    'writes to a device',
    /(?:^|[\s;&|(`])(?:dd|mkfs\S*|mount|umount)\s|>\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty\b)/,
  ],
  [
    'mentions credentials',
    /\.ssh\b|\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b|id_(?:rsa|ed25519)|(?:^|[\s/'"=])\.env\b|credentials|\/etc\/(?:passwd|shadow)/,
  ],
  ['continues in the background', /(?:^|[\s;&|(`])(?:nohup|setsid|disown|crontab|at)\s|[^&]&\s*$/],
]

/** Names what is unusual about an action. Only information for the person who decides; it never decides anything. */
export function unusualParts(action: Pick<ToolUse, 'tool' | 'input' | 'directory'>): readonly string[] {
  const { kind, object, rest } = describeToolUse(action)
  const found = kind === 'run' ? commandParts(object, action.directory) : pathParts(kind, object)
  const isDisabled = Object.entries(rest).some(
    ([name, value]) => /disable.*sandbox|unsandboxed|escalat/i.test(name) && value !== false,
  )
  return [
    ...found,
    ...(isDisabled ? ["turns off the program's own sandbox"] : []),
    ...(HIDDEN.test(object) || HIDDEN.test(textsIn(rest)) ? ['has hidden characters'] : []),
    ...lengthParts(object),
  ]
}

function commandParts(command: string, directory: string): readonly string[] {
  const outside = outsidePaths(command, directory)
  return [
    ...IN_COMMANDS.flatMap(([name, pattern]) => (pattern.test(command) ? [name] : [])),
    ...(outside.some(({ isTarget }) => isTarget) ? ['writes outside the working tree'] : []),
    ...(outside.some(({ isTarget }) => !isTarget) ? ['names files outside the working tree'] : []),
  ]
}

/** Words that look like a path to somewhere else. `isTarget`: output is redirected there. */
function outsidePaths(command: string, directory: string): readonly { readonly isTarget: boolean }[] {
  const words = command.matchAll(
    /(>>?\|?\s*|(?:^|[\s;&|(=`]))["']?((?:~|\$\{?HOME\}?|\.\.|\/)[^\s;&|)"'`]*)/g,
  )
  return [...words].flatMap(([, before = '', path = '']) => {
    const isTarget = before.startsWith('>')
    if (path.startsWith('/dev/') || isInside(path, directory)) return []
    // A program's own path says little: /usr/bin/env.
    if (!isTarget && /^\/(?:usr\/(?:local\/)?|opt\/[^/]+\/)?s?bin\//.test(path)) return []
    return [{ isTarget }]
  })
}

function isInside(path: string, directory: string): boolean {
  return directory !== '' && `${path}/`.startsWith(`${directory}/`) && !path.includes('/../')
}

function pathParts(kind: ActionKind, object: string): readonly string[] {
  if (kind === 'network' || kind === 'fetch') return ['uses the network']
  if (kind === 'permissions') return ['asks for wider permissions']
  const isWritten = kind === 'write' || kind === 'edit' || kind === 'delete'
  if (!isWritten && kind !== 'read') return []
  const paths = object.split(', ')
  const isOutside = paths.some((path) => /^[/~]|^\.\.(?:\/|$)|\/\.\.(?:\/|$)/.test(path))
  const isGit = paths.some((path) => /(?:^|\/)\.git(?:\/|$)/.test(path))
  return [
    ...(isOutside ? [isWritten ? 'writes outside the working tree' : 'reads outside the working tree'] : []),
    ...(isWritten && isGit ? ['changes git itself'] : []),
  ]
}

function lengthParts(object: string): readonly string[] {
  const lines = object.split('\n').length
  if (object.length > LONG_CHARACTERS) return [`is very long (${object.length} characters)`]
  return lines > LONG_LINES ? [`is very long (${lines} lines)`] : []
}

function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsIn).join(' ')
}
