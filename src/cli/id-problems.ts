import type { WireJobSummary, WireNamedRecord } from '../client/index.ts'
import { idPrefix } from '../domain/id.ts'
import type { NamedKind } from '../domain/short-id.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'

const SHOWN_CANDIDATES = 6
const TEXT_LIMIT = 40
const TITLE_LIMIT = 50

/** How people list records of a kind. */
const LISTS = {
  project: 'muster list projects',
  job: 'muster list jobs',
  task: 'muster list tasks',
  attempt: 'muster recover --all',
  session: 'muster list sessions',
  landing: 'muster list landings',
  run: 'muster runs list',
  approval: 'muster approvals --all',
  'approval-rule': 'muster approvals --rules',
  message: 'muster messages --all --questions',
} as const satisfies Record<NamedKind, string>

export function noJob(): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: 'there is no job yet',
    next: 'muster run "what you want done"',
  }
}

export function noOpenJob(command: 'cancel' | 'watch'): Problem {
  return {
    type: 'no-open-job',
    exitCode: EXIT.usage,
    message: 'this repository has no open job',
    next: `muster list jobs, then: muster ${command} <job>`,
  }
}

/** Lists the newest jobs, because a command that changes one doesn't choose among other repositories. */
export function noJobHere(jobs: readonly WireJobSummary[]): Problem {
  const shown = jobs
    .slice(0, SHOWN_CANDIDATES)
    .map(({ id, title, repositoryPath }) =>
      [id, safeLine(title, TITLE_LIMIT), `in ${safeLine(repositoryPath)}`].join('  '),
    )
  const more = jobs.length > shown.length ? ['more: muster list jobs'] : []
  return {
    type: 'id-missing',
    exitCode: EXIT.usage,
    message: 'this directory has no job, so name the job',
    why: [...shown, ...more].join('\n'),
    next: 'use one of these IDs',
  }
}

export function noTask(label: string, why: string, next: string): Problem {
  return { type: 'id-unknown', exitCode: EXIT.usage, message: `there is no task ${label}`, why, next }
}

export function unsuitable(text: string, kind: NamedKind, kinds: readonly NamedKind[]): Problem {
  const named = safeLine(text, TEXT_LIMIT)
  return {
    type: 'id-unusable',
    exitCode: EXIT.usage,
    message: `${named} is ${withArticle(kind)}; this command takes ${orList(kinds.map(withArticle))}`,
    next: kind === 'message' || kind === 'approval-rule' ? LISTS[kind] : `muster show ${named}`,
  }
}

export function unknownId(text: string, kinds: readonly NamedKind[]): Problem {
  const what = orList(kinds.map((kind) => kindWords(kind)))
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `no ${what} is called "${safeLine(text, TEXT_LIMIT)}"`,
    next: listCommandOf(kinds, text),
  }
}

/** Lists what the text could mean. */
export function ambiguousId(text: string, found: readonly WireNamedRecord[]): Problem {
  const shown = found.slice(0, SHOWN_CANDIDATES).map(({ id, name, title }) => {
    const words = [id, name, safeLine(title, TITLE_LIMIT)]
    return words.filter((word) => word !== undefined && word !== '').join('  ')
  })
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  return {
    type: 'id-ambiguous',
    exitCode: EXIT.usage,
    message: `"${safeLine(text, TEXT_LIMIT)}" matches ${found.length} records`,
    why: [...shown, ...more].join('\n'),
    next: 'use one of these IDs',
  }
}

/** The command that lists records of the kind that the text names, or else of a requested kind. */
function listCommandOf(kinds: readonly NamedKind[], text: string): string {
  const named = kinds.find((kind) => text.startsWith(`${idPrefix(kind)}_`))
  const kind = named ?? kinds.find((candidate) => candidate === 'job') ?? kinds[0]
  return LISTS[kind ?? 'job']
}

/** One of several: "a task, an approval or a job". */
function orList(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]+)$/, ' or $1')
}

function withArticle(kind: NamedKind): string {
  return `${kind.startsWith('a') ? 'an' : 'a'} ${kindWords(kind)}`
}

function kindWords(kind: NamedKind): string {
  return kind.replace('-', ' ')
}

/** The command can't be undone, so it takes no job that wasn't named, and only says which job it would be. */
export function unnamedJob(command: 'cancel' | 'delete', id: string): Problem {
  const doing = command === 'cancel' ? 'cancelling' : 'deleting'
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: `name the job to ${command}; ${doing} cannot be undone`,
    next: `muster ${command} ${id}`,
  }
}
