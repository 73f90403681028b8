import { closestWord } from '../domain/closest-word.ts'
import { shellWord } from '../domain/shell-word.ts'

/** What people type who know other programs, and the words for it here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  abort: 'cancel',
  accept: 'approve',
  agents: 'list agents',
  allow: 'approve',
  chat: 'session start',
  config: 'init',
  continue: 'resume',
  create: 'run',
  down: 'shutdown',
  exec: 'run',
  exit: 'shutdown',
  info: 'show',
  inspect: 'show',
  jobs: 'list jobs',
  landings: 'list landings',
  ls: 'list jobs',
  new: 'run',
  open: 'session start',
  projects: 'list projects',
  ps: 'status',
  quit: 'shutdown',
  reject: 'deny',
  reply: 'answer',
  rm: 'cancel',
  sessions: 'list sessions',
  start: 'run',
  tail: 'logs -f',
  tasks: 'list tasks',
  tell: 'send',
  up: 'serve',
  upgrade: 'doctor',
  version: '--version',
}

/** The whole command with the word that was meant, to be run as it is. */
export function suggestCommand(
  words: readonly string[],
  typed: string,
  known: readonly string[],
): string | undefined {
  const meant = otherWord(typed, known) ?? closestWord(typed, known)
  if (meant === undefined) return undefined
  const place = words.indexOf(typed)
  const before = words.slice(0, Math.max(0, place)).filter((word) => word !== 'help')
  const after = meant.startsWith('-') ? [] : words.slice(place + 1)
  return ['muster', ...before.map(shellWord), meant, ...after.map(shellWord)].join(' ')
}

/** Only all commands together have these words; a group such as `session` doesn't. */
function otherWord(typed: string, known: readonly string[]): string | undefined {
  return known.includes('run') && Object.hasOwn(OTHER_WORDS, typed) ? OTHER_WORDS[typed] : undefined
}
