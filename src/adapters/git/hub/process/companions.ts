import { type Companion, type CompanionOptions, createCompanion } from './git-companion.ts'
import { writeGitConfigFile } from './git-config-file.ts'
import { gitEnvironment } from './git-environment.ts'
import { type Git, gitArguments } from './run-git.ts'

/** The gits that are kept running in a hub, four at most; none of them writes but what a question says. */
export interface Companions extends Disposable {
  /** Nothing when there is no answer: then git has to be run for this question alone. */
  ask(hub: string, kind: CompanionKind, question: string): Promise<Buffer | undefined>
  /** For when something changed that a running git has read already. */
  close(hub: string): void
}

export type CompanionKind = 'merge-tree' | 'cat-file' | 'hash-object' | 'update-ref'

export type HubGit = { readonly git: Git; readonly companions: Companions }

type Kind = {
  readonly arguments: readonly [string, ...string[]]
  /** Whether git itself keeps its answers in a buffer until that is full. */
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
    // Records that are never empty, and an empty one.
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

export function createCompanions(options: { readonly gitConfigFile: string }): Companions {
  const environment = gitEnvironment(options.gitConfigFile)
  const open = new Map<string, Map<CompanionKind, Companion>>()
  let configured = false

  function close(hub: string): void {
    const those = open.get(hub)?.values() ?? []
    open.delete(hub)
    for (const companion of those) companion[Symbol.dispose]()
  }

  /** The hub asked last stands last, and the first makes room. */
  function companionsOf(hub: string): Map<CompanionKind, Companion> {
    const those = open.get(hub) ?? new Map<CompanionKind, Companion>()
    open.delete(hub)
    open.set(hub, those)
    const [oldest] = open.keys()
    if (open.size > HUBS_AT_ONCE && oldest !== undefined) close(oldest)
    return those
  }

  return {
    ask: async (hub, kind, question) => {
      if (!configured) await writeGitConfigFile(options.gitConfigFile)
      configured = true
      const those = companionsOf(hub)
      const companion = those.get(kind) ?? createCompanion({ ...commandOf(hub, kind), environment })
      those.set(kind, companion)
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
