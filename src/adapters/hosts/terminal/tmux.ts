import { execa } from 'execa'

/** A tmux that works on this machine. */
export type Tmux = { readonly program: string }

export type TmuxCall = {
  /** The terminal's directory, which contains the server's socket. */
  readonly directory: string
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

export type TmuxAnswer = { readonly ok: boolean; readonly output: string; readonly problem: string }

/** Relative, because the system limits the path of a socket to about a hundred bytes. */
const SOCKET = './tmux'
const CALL_TIMEOUT_MS = 10_000
const OUTPUT_LIMIT = 4 * 1024 * 1024
/** Older versions have no size per window. */
const OLDEST_MAJOR = 3

/** Arguments before every command: our own socket, and not the person's configuration. */
export const TMUX_ARGUMENTS = ['-S', SOCKET, '-f', '/dev/null', '-u'] as const

/** Tmux gets nothing from the daemon's environment, so it needs a terminal type and a locale. */
export const TMUX_ENVIRONMENT: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  LC_ALL: 'C.UTF-8',
}

export async function findTmux(program: string | undefined): Promise<Tmux | undefined> {
  if (program === undefined) return undefined
  const { stdout } = await execa(program, ['-V'], {
    reject: false,
    timeout: CALL_TIMEOUT_MS,
    stdin: 'ignore',
    env: TMUX_ENVIRONMENT,
    extendEnv: false,
  })
  const major = Number(/^tmux (?:next-)?(\d+)\./.exec(stdout ?? '')?.[1] ?? 0)
  return major >= OLDEST_MAJOR ? { program } : undefined
}

/** Runs one tmux command. Doesn't throw if tmux refuses or has no server. */
export async function callTmux(
  tmux: Tmux,
  call: TmuxCall,
  commandWords: readonly string[],
): Promise<TmuxAnswer> {
  const { exitCode, stdout, stderr, shortMessage } = await execa(
    tmux.program,
    [...TMUX_ARGUMENTS, ...commandWords],
    {
      cwd: call.directory,
      env: call.environment ?? TMUX_ENVIRONMENT,
      extendEnv: false,
      reject: false,
      timeout: CALL_TIMEOUT_MS,
      maxBuffer: OUTPUT_LIMIT,
      stripFinalNewline: false,
      ...(call.input === undefined ? { stdin: 'ignore' } : { input: call.input }),
    },
  )
  const problem = stderr === '' || stderr === undefined ? (shortMessage ?? '') : stderr.trim()
  return { ok: exitCode === 0, output: stdout ?? '', problem }
}
