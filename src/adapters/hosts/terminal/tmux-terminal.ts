import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TerminalSize } from '../../../ports/terminal-host.ts'
import { callTmux, type Tmux, type TmuxAnswer } from './tmux.ts'

export const TERMINAL_SCRIPT = fileURLToPath(new URL('./terminal.sh', import.meta.url))

/** Each terminal has a server of its own, so one name serves all; with a colon it means the only pane. */
export const TARGET = '=muster'
const PANE = `${TARGET}:`

/**
 * A plain screen: no keys, no status line, no windows of tmux's own. Whoever looks sees the program and can
 * do nothing but type into it.
 */
const SETTINGS: readonly (readonly string[])[] = [
  ['set-option', '-gq', 'prefix', 'None'],
  ['set-option', '-gq', 'prefix2', 'None'],
  ['unbind-key', '-aq', '-T', 'prefix'],
  ['unbind-key', '-aq', '-T', 'root'],
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

/** Starts the terminal's own server; its environment is the program's, and is never an argument. */
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
    // More than one word: tmux then runs them as they are, without a shell between.
    '/bin/sh',
    TERMINAL_SCRIPT,
  ])
}

/** Through a paste buffer, whose text comes by standard input: arguments are short and parsed. */
export async function typeIntoTmux(tmux: Tmux, directory: string, text: string): Promise<void> {
  if (text === '') return
  const buffer = `muster-${randomUUID()}`
  const words = ['load-buffer', '-b', buffer, '-', ';', 'paste-buffer', '-d', '-r', '-b', buffer, '-t', PANE]
  await callTmux(tmux, { directory, input: text }, words)
}

/** A window resized by command keeps that size for ever; taking the mark away lets viewers size it again. */
export async function resizeTmux(tmux: Tmux, directory: string, size: TerminalSize): Promise<void> {
  const { columns, rows } = size
  await callTmux(tmux, { directory }, [
    ...['resize-window', '-t', PANE, '-x', String(columns), '-y', String(rows), ';'],
    ...['set-option', '-wu', '-t', PANE, 'window-size'],
  ])
}

/** The visible lines; nothing when there is no such terminal. */
export async function captureTmux(tmux: Tmux, directory: string): Promise<string | undefined> {
  const captured = await callTmux(tmux, { directory }, ['capture-pane', '-p', '-t', PANE])
  return captured.ok ? captured.output : undefined
}

export async function endTmux(tmux: Tmux, directory: string): Promise<void> {
  await callTmux(tmux, { directory }, ['kill-server'])
}
