/** What `postmaster.pid` says: the server writes it at start and removes it at its end, unless it is killed. */
export type PidFile = {
  readonly pid: number
  readonly socketDirectory: string
  readonly status: string
}

export type ProcessFacts =
  | { readonly type: 'gone' }
  | { readonly type: 'zombie' }
  /** `cwd` is absent where the system does not tell it. */
  | { readonly type: 'alive'; readonly command: string; readonly cwd?: string }
  /** Alive, on a system that tells no more. */
  | { readonly type: 'unknown' }

export type PostmasterFacts =
  | { readonly type: 'no-file' }
  | { readonly type: 'unreadable-file'; readonly ageMs: number }
  | {
      readonly type: 'file'
      readonly file: PidFile
      readonly process: ProcessFacts
      readonly dataDirectory: string
    }

export type PostmasterVerdict =
  | { readonly type: 'absent' }
  | { readonly type: 'ready'; readonly pid: number; readonly socketDirectory: string }
  | { readonly type: 'changing'; readonly pid?: number }
  /** The file outlived its server; the server would take it for a running one, so it has to go. */
  | { readonly type: 'stale' }

/** A starting server makes the file first and fills it a moment later; a machine that lost power may leave it empty. */
const WRITING_TAKES_MS = 2_000

/** What is the case with the server, from the traces it leaves. Pure: the caller reads the traces and acts. */
export function judgePostmaster(facts: PostmasterFacts): PostmasterVerdict {
  if (facts.type === 'no-file') return { type: 'absent' }
  if (facts.type === 'unreadable-file') {
    return facts.ageMs < WRITING_TAKES_MS ? { type: 'changing' } : { type: 'stale' }
  }
  if (!isOurServer(facts.process, facts.dataDirectory)) return { type: 'stale' }

  const { pid, socketDirectory, status } = facts.file
  return status === 'ready' ? { type: 'ready', pid, socketDirectory } : { type: 'changing', pid }
}

function isOurServer(process: ProcessFacts, dataDirectory: string): boolean {
  if (process.type === 'unknown') return true
  if (process.type !== 'alive' || process.command !== 'postgres') return false
  return process.cwd === undefined || process.cwd === dataDirectory
}

export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n')
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined
  return { pid, socketDirectory: lines[4] ?? '', status: (lines[7] ?? '').trim() }
}
