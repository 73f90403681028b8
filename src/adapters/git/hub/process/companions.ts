import { type Companion, type CompanionOptions, createCompanion } from './git-companion.ts'
import { createGitEnvironment } from './git-settings.ts'
import { type Git, type GitOptions, gitArguments } from './run-git.ts'

/** Git processes that are kept running, at most one of each kind per hub. They write only what a question asks for. */
export interface Companions extends Disposable {
  /** Undefined if the companion has no answer. The caller then runs git for this question. */
  ask(hub: string, kind: CompanionKind, question: string): Promise<Buffer | undefined>
  /** Ends a hub's companions, because something has changed that a running git has already read. */
  close(hub: string): void
}

export type CompanionKind = 'merge-tree' | 'cat-file' | 'hash-object' | 'update-ref'

export type HubGit = { readonly git: Git; readonly companions: Companions }

type Kind = {
  readonly arguments: readonly [string, ...string[]]
  /** Whether git holds its answers back in a buffer until the buffer is full. */
  readonly isBuffered: boolean
  readonly isWhole: CompanionOptions['isWhole']
}

const HUBS_AT_ONCE = 8
const HEADER_BYTES = 200
const HEADER = /^[0-9a-f]+ (?:missing|\w+ (\d+))\n/

const KINDS: Readonly<Record<CompanionKind, Kind>> = {
  'merge-tree': {
    arguments: ['merge-tree', '--stdin', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories'],
    isBuffered: true,
    // An answer is a list of records that are never empty, followed by an empty one.
    isWhole: (answer) => answer.at(-1) === 0 && answer.at(-2) === 0,
  },
  'cat-file': { arguments: ['cat-file', '--batch-command'], isBuffered: false, isWhole: isWholeObject },
  'hash-object': {
    arguments: ['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin-paths'],
    isBuffered: false,
    isWhole: (answer) => answer.at(-1) === 0x0a,
  },
  'update-ref': {
    arguments: ['update-ref', '--no-deref', '--stdin', '-m', 'muster'],
    isBuffered: false,
    isWhole: (answer) => answer.toString('latin1').endsWith('commit: ok\n'),
  },
}

export function createCompanions({ startProcess, gitConfigFile }: GitOptions): Companions {
  const prepareEnvironment = createGitEnvironment(gitConfigFile)
  const open = new Map<string, Map<CompanionKind, Companion>>()

  function close(hub: string): void {
    const companions = open.get(hub)?.values() ?? []
    open.delete(hub)
    for (const companion of companions) companion[Symbol.dispose]()
  }

  /** Keeps the hubs in the order of their last question and closes the one that was asked longest ago. */
  function companionsOf(hub: string): Map<CompanionKind, Companion> {
    const companions = open.get(hub) ?? new Map<CompanionKind, Companion>()
    open.delete(hub)
    open.set(hub, companions)
    const [oldest] = open.keys()
    if (open.size > HUBS_AT_ONCE && oldest !== undefined) close(oldest)
    return companions
  }

  return {
    ask: async (hub, kind, question) => {
      const environment = await prepareEnvironment()
      const companions = companionsOf(hub)
      const companion =
        companions.get(kind) ?? createCompanion({ ...commandOf(hub, kind), environment, startProcess })
      companions.set(kind, companion)
      return await companion.ask(question)
    },
    close,
    [Symbol.dispose]: () => {
      for (const hub of [...open.keys()]) close(hub)
    },
  }
}

function commandOf(hub: string, name: CompanionKind) {
  const { isBuffered, isWhole, ...kind } = KINDS[name]
  const call = gitArguments({ directory: hub, ...kind })
  if (!isBuffered) return { command: 'git', arguments: call, isWhole }
  return { command: 'stdbuf', arguments: ['-o0', 'git', ...call], isWhole }
}

function isWholeObject(answer: Buffer, question: string): boolean {
  if (question.startsWith('info ')) return answer.at(-1) === 0x0a
  const header = HEADER.exec(answer.subarray(0, HEADER_BYTES).toString('latin1'))
  if (header === null) return false
  const [line, size] = header
  return size === undefined || answer.length === line.length + Number(size) + 1
}
