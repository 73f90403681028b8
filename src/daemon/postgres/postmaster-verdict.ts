/** The content of `postmaster.pid`, which the server writes at its start and removes at its end unless it is killed. */
export type PidFile = {
  readonly pid: number
  readonly socketDirectory: string
  readonly status: string
}

export type ProcessFacts =
  | { readonly type: 'gone' }
  | { readonly type: 'zombie' }
  /** `cwd` identifies the directory in which the process runs. It is absent if the system doesn't report it. */
  | { readonly type: 'alive'; readonly command: string; readonly cwd?: string }
  /** Alive, on a system that reports nothing else. */
  | { readonly type: 'unknown' }

export type PostmasterFacts =
  | { readonly type: 'no-file' }
  | { readonly type: 'unreadable-file'; readonly ageMs: number }
  | {
      readonly type: 'file'
      readonly file: PidFile
      readonly process: ProcessFacts
      /** Identifies the directory, whatever its path. */
      readonly dataDirectory: string
    }

export type PostmasterVerdict =
  | { readonly type: 'absent' }
  | { readonly type: 'ready'; readonly pid: number; readonly socketDirectory: string }
  | { readonly type: 'changing'; readonly pid?: number }
  /** The file outlived its server. A new server would take it for a running one, so it must be removed. */
  | { readonly type: 'stale' }

/** A starting server creates the file and fills it a moment later; a power loss may leave it empty. */
const WRITE_TAKES_MS = 2_000

/** Judges the server by the traces it leaves. Pure: the caller reads the traces and acts. */
export function judgePostmaster(facts: PostmasterFacts): PostmasterVerdict {
  if (facts.type === 'no-file') return { type: 'absent' }
  if (facts.type === 'unreadable-file') {
    return facts.ageMs < WRITE_TAKES_MS ? { type: 'changing' } : { type: 'stale' }
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
