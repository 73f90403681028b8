import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TerminalSize, TerminalViewer, ViewerRequest } from '../../../ports/terminal-host.ts'
import { spawnPty } from './spawn-pty.ts'
import { callTmux, TMUX_ARGUMENTS, TMUX_ENVIRONMENT, type Tmux, type TmuxAnswer } from './tmux.ts'

export const TERMINAL_SCRIPT = fileURLToPath(new URL('./terminal.sh', import.meta.url))

/** Each terminal has its own server, so they can all use one session name. With a colon, it means the only pane. */
const TARGET = '=muster'
const PANE = `${TARGET}:`

/**
 * What a viewer types to leave. It comes after everything that was typed before, which would be lost if the viewer's
 * terminal were closed before tmux has read it. No keyboard sends this.
 */
const LEAVE = '\x1b[98;97~'
const LEAVE_PATIENCE_MS = 1000

/** Turns off tmux's own keys, status line and windows, so that a viewer sees the program and can only type into it. */
const SETTINGS: readonly (readonly string[])[] = [
  ['set-option', '-gq', 'prefix', 'None'],
  ['set-option', '-gq', 'prefix2', 'None'],
  ['unbind-key', '-aq', '-T', 'prefix'],
  ['unbind-key', '-aq', '-T', 'root'],
  ['set-option', '-sq', 'user-keys[0]', LEAVE],
  ['bind-key', '-n', 'User0', 'detach-client'],
  ['set-option', '-gq', 'status', 'off'],
  ['set-option', '-gq', 'mouse', 'off'],
  ['set-option', '-sq', 'escape-time', '0'],
  ['set-option', '-gq', 'assume-paste-time', '0'],
  ['set-option', '-gq', 'history-limit', '2000'],
  ['set-option', '-gq', 'destroy-unattached', 'off'],
  ['set-option', '-gq', 'detach-on-destroy', 'on'],
  ['set-option', '-gq', 'set-titles', 'off'],
  ['set-option', '-sq', 'set-clipboard', 'off'],
  ['set-option', '-sq', 'focus-events', 'on'],
  ['set-option', '-sq', 'default-terminal', 'screen-256color'],
  ['set-option', '-saq', 'terminal-overrides', ',*:Tc'],
  ['set-option', '-gwq', 'window-size', 'latest'],
  ['set-option', '-gwq', 'remain-on-exit', 'off'],
  ['set-option', '-gwq', 'allow-rename', 'off'],
  ['set-option', '-gwq', 'automatic-rename', 'off'],
]

/** Starts the terminal's server with the program's environment, which never becomes an argument. */
export async function startTmuxTerminal(
  tmux: Tmux,
  directory: string,
  environment: Readonly<Record<string, string>>,
  size: TerminalSize,
): Promise<TmuxAnswer> {
  const settings = SETTINGS.flatMap((command) => [...command, ';'])
  const withTmux = { ...environment, MUSTER_TERMINAL_TMUX: tmux.program }
  return await callTmux(tmux, { directory, environment: withTmux }, [
    'start-server',
    ';',
    ...settings,
    'new-session',
    '-d',
    '-s',
    'muster',
    '-x',
    String(size.columns),
    '-y',
    String(size.rows),
    // Tmux runs a command of more than one word without a shell.
    '/bin/sh',
    TERMINAL_SCRIPT,
  ])
}

/**
 * Types through a paste buffer that tmux reads from standard input, because tmux limits and parses arguments. Text that
 * is pasted is marked as such if the program has asked for that.
 */
export async function typeIntoTmux(
  tmux: Tmux,
  directory: string,
  text: string,
  isPasted: boolean,
): Promise<void> {
  if (text === '') return
  const buffer = `muster-${randomUUID()}`
  const mark = isPasted ? ['-p'] : []
  const words = ['load-buffer', '-b', buffer, '-', ';', 'paste-buffer', '-d', '-r', ...mark]
  await callTmux(tmux, { directory, input: text }, [...words, '-b', buffer, '-t', PANE])
}

/** Tmux keeps the size that a command sets. Unsetting the option afterwards lets viewers change the size again. */
export async function resizeTmux(tmux: Tmux, directory: string, size: TerminalSize): Promise<void> {
  const { columns, rows } = size
  await callTmux(tmux, { directory }, [
    ...['resize-window', '-t', PANE, '-x', String(columns), '-y', String(rows), ';'],
    ...['set-option', '-wu', '-t', PANE, 'window-size'],
  ])
}

/** The visible lines. Undefined if there is no such terminal. */
export async function captureTmux(tmux: Tmux, directory: string): Promise<string | undefined> {
  const captured = await callTmux(tmux, { directory }, ['capture-pane', '-p', '-t', PANE])
  return captured.ok ? captured.output : undefined
}

export async function endTmux(tmux: Tmux, directory: string): Promise<void> {
  await callTmux(tmux, { directory }, ['kill-server'])
}

/**
 * Connects a viewer as a tmux client on a pseudo terminal. Tmux draws the screen in the viewer's size and skips output
 * that a slow viewer would only see scroll past.
 */
export function connectTmux(tmux: Tmux, directory: string, request: ViewerRequest): TerminalViewer {
  const { columns, rows, readOnly, onData, onEnd } = request
  const mode = readOnly ? ['-r'] : []
  let hasLeft = false
  const pty = spawnPty([tmux.program, ...TMUX_ARGUMENTS, 'attach-session', ...mode, '-t', TARGET], {
    columns,
    rows,
    cwd: directory,
    environment: TMUX_ENVIRONMENT,
    onData: (bytes) => {
      if (!hasLeft) onData(bytes)
    },
    onExit: () => {
      if (!hasLeft) onEnd({ type: 'terminal-end' })
    },
  })
  return {
    write: (bytes) => {
      if (!readOnly) pty.write(bytes)
    },
    resize: (size) => pty.resize(size),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    [Symbol.dispose]: () => {
      hasLeft = true
      if (readOnly) return pty.hangUp()
      pty.write(Buffer.from(LEAVE))
      setTimeout(() => pty.hangUp(), LEAVE_PATIENCE_MS).unref()
    },
  }
}
