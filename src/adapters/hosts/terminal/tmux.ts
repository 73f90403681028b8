import { execa } from 'execa'

/** A tmux that was found to work here. */
export type Tmux = { readonly program: string }

export type TmuxCall = {
  /** The terminal's directory: its server's socket is in it. */
  readonly directory: string
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

export type TmuxAnswer = { readonly ok: boolean; readonly output: string; readonly problem: string }

/** Relative, because a socket's whole path may have no more than about a hundred bytes. */
const SOCKET = './tmux'
const CALL_TIMEOUT_MS = 10_000
const OUTPUT_LIMIT = 4 * 1024 * 1024
/** Older ones lack window sizes of their own. */
const OLDEST_MAJOR = 3

/** What precedes every command: our own socket, and no configuration of the person's. */
export const TMUX_ARGUMENTS = ['-S', SOCKET, '-f', '/dev/null', '-u'] as const

/** tmux tries locales by these names itself; nothing of the daemon's environment is for it. */
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

/** Runs one tmux command to its end. A refusal, also of a server that is not there, is an answer. */
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
