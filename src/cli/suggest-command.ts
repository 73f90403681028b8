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

/** Longer words can have more typing errors. */
const SHORT_WORD = 4

/** The known word that was most likely meant; undefined if none is close. */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const most = typed.length <= SHORT_WORD ? 1 : 2
  const close = known
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= most && distance < word.length)
    .sort((one, other) => one.distance - other.distance)
  return close[0]?.word ?? known.find((word) => typed.length > 2 && word.startsWith(typed))
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

/** How many letters have to be added, removed, changed or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  let earlier: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(earlier, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    earlier = last
    last = next
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
